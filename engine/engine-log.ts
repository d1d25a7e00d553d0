import { mkdir, readlink, rmdir, stat, symlink, unlink } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import { pulumiHome } from "./pulumi-home.ts";
import { say } from "./set-up.ts";

/**
 * Turns the engine's automatic log off or on, as `INTEGRATION_PLATFORM_ENGINE_LOG` in `env` says. If it is not set, nothing
 * is touched. `cwd` is where the engine will run: a relative `PULUMI_HOME` is relative to it.
 *
 * The engine has no setting for its log. But it works without a log if `logs` in its home is not a folder. So `off` makes
 * `logs` a link to `/dev/null`, if there is no such folder or if it is empty. `on` removes only such a link. If `off` or
 * `on` is not possible, one line on standard error says why.
 *
 * @throws Error if the variable has another value.
 */
export async function applyEngineLogSetting(env: NodeJS.ProcessEnv, cwd: string): Promise<void> {
  const setting = env.INTEGRATION_PLATFORM_ENGINE_LOG;
  if (setting === undefined || setting === "") return;
  if (setting !== "on" && setting !== "off") {
    throw new Error(`INTEGRATION_PLATFORM_ENGINE_LOG is "${setting}"; it can be one of on, off.`);
  }
  const logs = resolve(cwd, pulumiHome(env), "logs");
  const obstacle = await (setting === "off" ? turnEngineLogOff(logs) : turnEngineLogOn(logs)).catch(reasonOf);
  if (obstacle !== undefined) say(`INTEGRATION_PLATFORM_ENGINE_LOG=${setting} has no effect: ${obstacle}`);
}

/** Makes `logs` a link, so that the engine keeps no log there. Returns what prevents that, if anything does. */
export async function turnEngineLogOff(logs: string): Promise<string | undefined> {
  if (process.platform === "win32") return "the engine's log cannot be turned off on Windows.";
  await mkdir(dirname(logs), { recursive: true, mode: 0o700 });
  // Other commands make this link, or this folder, at the same time.
  for (let attempt = 0; attempt < 10; attempt++) {
    if (await succeeds(symlink(nowhere, logs), "EEXIST")) return undefined;
    if (!(await isFolder(logs))) return undefined;
    if (!(await succeeds(rmdir(logs), "ENOTEMPTY", "EEXIST", "ENOENT", "ENOTDIR")) && (await isFolder(logs))) {
      const away = `${logs}-until-${new Date().toISOString().replaceAll(/[-:]|\..*/g, "")}`;
      return `${logs} has logs of the engine. To move them away, run: mv ${quoted(logs)} ${quoted(away)}`;
    }
  }
  return `other commands use ${logs}.`;
}

/** Removes the link that `turnEngineLogOff` has made, and nothing else. */
export async function turnEngineLogOn(logs: string): Promise<undefined> {
  const target = await readlink(logs).catch(() => undefined);
  if (target === nowhere) await succeeds(unlink(logs), "ENOENT");
}

const nowhere = "/dev/null";

async function succeeds(change: Promise<void>, ...expectedFailures: readonly string[]): Promise<boolean> {
  try {
    await change;
    return true;
  } catch (error) {
    if (error instanceof Error && "code" in error && expectedFailures.includes(String(error.code))) return false;
    throw error;
  }
}

/** Whether it is a folder, or a link to one. */
async function isFolder(path: string): Promise<boolean> {
  return (await stat(path).catch(() => undefined))?.isDirectory() ?? false;
}

/** As one word of a shell. */
function quoted(path: string): string {
  return /^[\w./@+-]+$/.test(path) ? path : `'${path.replaceAll("'", "'\\''")}'`;
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
