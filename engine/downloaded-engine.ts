import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { z } from "zod";
import { forgetFailure, recentFailure, rememberFailure } from "./download-failure.ts";
import type { Engine, EngineAttempt } from "./engine.ts";
import { engineVersion, isExecutable } from "./path-engine.ts";
import { pulumiHome } from "./pulumi-home.ts";
import { runCommand } from "./run-command.ts";
import { duringSetUp, say } from "./set-up.ts";

const timeLimitSeconds = 300;

/**
 * What the official npm package `pulumi` downloads on first use, into `PULUMI_HOME/versions`. A download that failed is
 * not tried again for a day, unless `INTEGRATION_PLATFORM_ENGINE=download` asks for it.
 */
export async function findDownloadedEngine(): Promise<EngineAttempt> {
  const { version, script } = officialPackage();
  const engine = installedEngine(version);
  if (engine !== undefined) return { engine };
  const isAskedFor = process.env.INTEGRATION_PLATFORM_ENGINE === "download";
  return duringSetUp(async () => {
    const installedMeanwhile = installedEngine(version);
    if (installedMeanwhile !== undefined) return { engine: installedMeanwhile };
    const failure = await recentFailure(version);
    if (failure === undefined || isAskedFor) return download(version, script);
    return { unavailable: `the download of ${version} failed at ${failure.failedAt} (${failure.reason})` };
  });
}

async function download(version: string, script: string): Promise<EngineAttempt> {
  say(`Downloading the Pulumi engine ${version} (once; about a minute)...`);
  const env = { ...process.env, PULUMI_VERSION: version, PULUMI_SKIP_UPDATE_CHECK: "true" };
  const { stdout, stderr } = await runCommand(process.execPath, [script, "version"], { env, timeLimitSeconds });
  const engine = installedEngine(version);
  // A download that was cut off can leave a file of that name which does not run.
  if (engine !== undefined && (await engineVersion(engine.command)) !== undefined) {
    await forgetFailure();
    return { engine };
  }
  const reason = (stderr.trim() || stdout.trim()).split("\n").at(-1) ?? "no reason given";
  await rememberFailure({ version, reason, failedAt: new Date().toISOString() });
  say(`The official download cannot be had here (${reason}).`);
  return { unavailable: `the download of ${version} failed (${reason})` };
}

function installedEngine(version: string): Engine | undefined {
  const binDirectory = join(pulumiHome(process.env), "versions", version, "bin");
  const command = join(binDirectory, "pulumi");
  if (!isExecutable(command) || !isExecutable(join(binDirectory, "pulumi-language-nodejs"))) return undefined;
  return { command, binDirectory, version, source: "download" };
}

function officialPackage(): { version: string; script: string } {
  const require = createRequire(import.meta.url);
  const manifest = require.resolve("pulumi/package.json");
  const { version, bin } = packageManifest.parse(require(manifest));
  return { version, script: join(dirname(manifest), bin.pulumi) };
}

const packageManifest = z.object({ version: z.string(), bin: z.object({ pulumi: z.string() }) });
