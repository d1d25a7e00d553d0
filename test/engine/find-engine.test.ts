import { chmod, mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { beforeEach, describe, expect, test } from "vitest";
import { type CommandOutcome, runCommand } from "../../engine/run-command.ts";
import { endAfterTests } from "../end-after-tests.ts";

const repository = join(import.meta.dirname, "../..");
const nodeDirectory = dirname(process.execPath);
let machine: string;

beforeEach(() =>
  endAfterTests(async (open) => {
    machine = await mkdtemp(join(tmpdir(), "machine-"));
    open.defer(() => rm(machine, { recursive: true, force: true }));
  }),
);

describe("findEngine", () => {
  test("uses the pulumi on PATH", async () => {
    const installed = await install("bin", { pulumi: "echo v3.250.1", "pulumi-language-nodejs": "true" });

    const { stdout } = await findEngineOn({ path: [installed] });

    expect(JSON.parse(stdout)).toEqual({
      command: join(installed, "pulumi"),
      binDirectory: installed,
      version: "3.250.1",
      source: "path",
    });
  });

  test("skips npm's downloader in node_modules/.bin", async () => {
    const shim = await install("node_modules/.bin", { pulumi: "echo v3.250.1", "pulumi-language-nodejs": "true" });

    const { stderr } = await findEngineOn({ path: [shim], only: "path" });

    expect(stderr).toContain("there is no pulumi on PATH");
  });

  test.each([
    ["is too old", { pulumi: "echo v3.199.0", "pulumi-language-nodejs": "true" }, "is 3.199.0, older than 3.200"],
    ["does not work", { pulumi: "exit 3", "pulumi-language-nodejs": "true" }, "does not tell its version"],
    ["has no Node.js language host", { pulumi: "echo v3.250.1" }, "has no pulumi-language-nodejs"],
  ])("refuses a pulumi on PATH that %s, and says so", async (_, programs, reason) => {
    const installed = await install("bin", programs);

    const { code, stderr } = await findEngineOn({ path: [installed], only: "path" });

    expect(code).toBe(1);
    expect(stderr).toContain(reason);
  });

  test("uses an earlier download without downloading again", async () => {
    const version = await downloaderVersion();
    const installed = await install(`home/.pulumi/versions/${version}/bin`, {
      pulumi: "exit 3",
      "pulumi-language-nodejs": "true",
    });

    const { stdout, stderr } = await findEngineOn({ path: [] });

    expect(JSON.parse(stdout)).toMatchObject({ binDirectory: installed, source: "download", version });
    expect(stderr).toBe("");
  });

  test("does not retry a failed download on the same day, and lists every reason if no engine is left", async () => {
    const version = await downloaderVersion();
    const failedAt = new Date().toISOString();
    await mkdir(join(machine, "cache/pulumi-integration-platform/engine"), { recursive: true });
    await writeFile(
      join(machine, "cache/pulumi-integration-platform/engine/download-failure.json"),
      JSON.stringify({ version, reason: "no route", failedAt }),
    );

    const { code, stderr } = await findEngineOn({ path: [] });

    expect(code).toBe(1);
    expect(stderr).not.toContain("Downloading");
    expect(stderr).toContain("- path: there is no pulumi on PATH");
    expect(stderr).toContain(`- download: the download of ${version} failed at ${failedAt} (no route)`);
    expect(stderr).toContain("- build: building it needs Go");
  });

  test("refuses an unknown INTEGRATION_PLATFORM_ENGINE", async () => {
    const { stderr } = await findEngineOn({ path: [], only: "docker" });

    expect(stderr).toContain('INTEGRATION_PLATFORM_ENGINE is "docker"; it can be one of path, download, build.');
  });
});

/** Runs `findEngine` in a separate process whose PATH has only these folders. */
function findEngineOn({ path, only = "" }: { path: readonly string[]; only?: string }): Promise<CommandOutcome> {
  const program =
    'import { findEngine } from "./engine/find-engine.ts"; console.log(JSON.stringify(await findEngine()));';
  return runCommand(process.execPath, ["--input-type=module-typescript", "--eval", program], {
    cwd: repository,
    env: {
      HOME: join(machine, "home"),
      XDG_CACHE_HOME: join(machine, "cache"),
      // The fake programs are shell scripts, so they need no interpreter from PATH.
      PATH: [...path, nodeDirectory].join(delimiter),
      INTEGRATION_PLATFORM_ENGINE: only,
    },
    timeLimitSeconds: 60,
  });
}

async function install(folder: string, programs: Record<string, string>): Promise<string> {
  const directory = join(machine, folder);
  await mkdir(directory, { recursive: true });
  for (const [name, script] of Object.entries(programs)) {
    await writeFile(join(directory, name), `#!/bin/sh\n${script}\n`);
    await chmod(join(directory, name), 0o755);
  }
  return directory;
}

async function downloaderVersion(): Promise<string> {
  const lock: unknown = JSON.parse(await readFile(join(repository, "node_modules/pulumi/package.json"), "utf8"));
  return typeof lock === "object" && lock !== null && "version" in lock ? String(lock.version) : "";
}
