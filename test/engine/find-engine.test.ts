import { chmod, mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type CommandOutcome, runCommand } from "../../engine/run-command.ts";

const repository = join(import.meta.dirname, "../..");
const nodeDirectory = dirname(process.execPath);
let machine: string;

beforeEach(async () => {
  machine = await mkdtemp(join(tmpdir(), "machine-"));
});

afterEach(() => rm(machine, { recursive: true, force: true }));

describe("findEngine", () => {
  it("takes the pulumi that is on PATH", async () => {
    const installed = await install("bin", { pulumi: "echo v3.250.1", "pulumi-language-nodejs": "true" });

    const { stdout } = await findEngineOn({ path: [installed] });

    expect(JSON.parse(stdout)).toEqual({
      command: join(installed, "pulumi"),
      binDirectory: installed,
      version: "3.250.1",
      source: "path",
    });
  });

  it("passes over npm's downloader in node_modules/.bin", async () => {
    const shim = await install("node_modules/.bin", { pulumi: "echo v3.250.1", "pulumi-language-nodejs": "true" });

    const { stderr } = await findEngineOn({ path: [shim], only: "path" });

    expect(stderr).toContain("there is no pulumi on PATH");
  });

  it.each([
    ["is too old", { pulumi: "echo v3.199.0", "pulumi-language-nodejs": "true" }, "is 3.199.0, older than 3.200"],
    ["does not work", { pulumi: "exit 3", "pulumi-language-nodejs": "true" }, "does not tell its version"],
    ["has no Node.js language host", { pulumi: "echo v3.250.1" }, "has no pulumi-language-nodejs"],
  ])("refuses a pulumi on PATH that %s, and says so", async (_, programs, reason) => {
    const installed = await install("bin", programs);

    const { code, stderr } = await findEngineOn({ path: [installed], only: "path" });

    expect(code).toBe(1);
    expect(stderr).toContain(reason);
  });

  it("takes what was downloaded before, without a download", async () => {
    const version = await downloaderVersion();
    const installed = await install(`home/.pulumi/versions/${version}/bin`, {
      pulumi: "exit 3",
      "pulumi-language-nodejs": "true",
    });

    const { stdout, stderr } = await findEngineOn({ path: [] });

    expect(JSON.parse(stdout)).toMatchObject({ binDirectory: installed, source: "download", version });
    expect(stderr).toBe("");
  });

  it("does not try a download again on the day it failed, and names every reason where nothing is left", async () => {
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

  it("refuses an INTEGRATION_PLATFORM_ENGINE that it does not know", async () => {
    const { stderr } = await findEngineOn({ path: [], only: "docker" });

    expect(stderr).toContain('INTEGRATION_PLATFORM_ENGINE is "docker"; it can be one of path, download, build.');
  });
});

/** Finds an engine as a machine would that has nothing but these folders on PATH: in a process of its own. */
function findEngineOn({ path, only = "" }: { path: readonly string[]; only?: string }): Promise<CommandOutcome> {
  const program =
    'import { findEngine } from "./engine/find-engine.ts"; console.log(JSON.stringify(await findEngine()));';
  return runCommand(process.execPath, ["--input-type=module-typescript", "--eval", program], {
    cwd: repository,
    env: {
      HOME: join(machine, "home"),
      XDG_CACHE_HOME: join(machine, "cache"),
      // The fake programs are shell scripts without an interpreter of their own to look up.
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
