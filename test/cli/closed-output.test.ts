import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { runCommand } from "../../engine/run-command.ts";
import { createEmulator } from "../../src/emulator/index.ts";
import { openIncident } from "./pause/incident-fixture.ts";
import { runCliProcess } from "./run-cli.ts";

const root = join(import.meta.dirname, "../..");

test.each([
  ["validate --format json", "true"],
  ["status --watch 1 --json", "head -n 1"],
])("a reader of `%s` that closes standard output early, as `%s` does, is no failure", async (command, reader) => {
  const script = `integration_platform ${command} | ${reader}; exit "\${PIPESTATUS[0]}"`;
  const { code, stderr } = await runScript(script);
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
});

test.each([
  "status",
  "status --json",
  "status --help",
  "status --watch 1",
  "export --integration 101",
  "validate --format json",
])("a full disk under the output of `%s` is one line and a failure", async (command) => {
  const { code, stderr } = await runScript(`integration_platform ${command} > /dev/full`);
  const line = "error: cannot write to standard output: ENOSPC: no space left on device, write\n";
  expect({ code, stderr }).toEqual({ code: 1, stderr: line });
});

test("messages that a full disk has taken are a failure, too", async () => {
  const script = "integration_platform validate --no-such-option 2> /dev/full";
  expect(await runScript(script)).toMatchObject({ code: 1 });
});

test("a file that takes only the beginning of the output is a failure", async () => {
  const folder = await emptyFolder();
  const file = join(folder, "help");
  const { code, stderr } = await runScript(`ulimit -f 1; integration_platform status --help > "${file}"`);
  const line = "error: cannot write to standard output: EFBIG: file too large, write\n";
  expect({ code, stderr }).toEqual({ code: 1, stderr: line });
  expect((await readFile(file)).length).toBe(1024);
});

test("a lock that could not be written leaves no file that the next command would wait for", async () => {
  await using incident = await openIncident();
  const script = `cd "${incident.folder}"; ulimit -f 0; integration_platform pause --integration billing --reason INC-42`;
  const { code, stderr } = await runScript(script, incident.emulator);
  expect(code).toBe(1);
  expect(stderr).toMatch(/^error: cannot write [^\n]*\.lock: EFBIG: file too large, write\n$/);
  expect(await incident.files()).toEqual([]);
  const again = await incident.run("pause", "--integration", "billing", "--reason", "INC-42", "--no-override");
  expect(again.code).toBe(0);
});

test("a temporary folder that cannot be made is one line and a failure", async () => {
  const { code, stderr } = await runCliProcess(undefined, ["drift"], { TMPDIR: "/dev/null" });
  expect(code).toBe(1);
  expect(stderr).toMatch(/^error: ENOTDIR: not a directory, mkdtemp '[^\n]+\n$/);
});

async function runScript(script: string, platform?: { url: string; apiKey: string }) {
  const emulator = platform ?? (await startedEmulator());
  const env = {
    ...process.env,
    INTEGRATION_PLATFORM_BASE_URL: emulator.url,
    INTEGRATION_PLATFORM_API_KEY: emulator.apiKey,
  };
  const command = `integration_platform() { "${process.execPath}" "${join(root, "src/cli/main.ts")}" "$@"; }`;
  return runCommand("bash", ["-c", `${command}\n${script}`], { cwd: root, env, timeLimitSeconds: 60 });
}

async function startedEmulator() {
  const emulator = await createEmulator();
  onTestFinished(() => emulator.close());
  return emulator;
}

async function emptyFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "closed-output-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  return folder;
}
