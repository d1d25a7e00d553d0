import { execFile } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeAll, expect, onTestFinished, test } from "vitest";
import { preparePython, pythonSetUpSeconds } from "../../python/prepare-python.ts";
import { install, runsOf, startEmulator, sync } from "../running-emulator.ts";

// schemathesis makes up requests from /openapi.json alone.

let programs = "";
beforeAll(async () => {
  programs = await preparePython(join(import.meta.dirname, "requirements.txt"));
}, pythonSetUpSeconds * 1000);

const timeLimitSeconds = 120;
const checks = [
  "not_a_server_error",
  "status_code_conformance",
  "content_type_conformance",
  "response_schema_conformance",
  "response_headers_conformance",
];

test.each([
  ["by default", {}],
  ["without nulls, and with masked configs", { defaults: "absent", maskedConfigs: "yes" }],
] as const)(
  "every response matches /openapi.json, and none is a server error: %s",
  async (_, variants) => {
    const emulator = await startEmulator({ variants });
    for (let number = 1; number <= 8; number++) {
      const id = await install(emulator, {
        name: `tenant-${number}`,
        user_name: `user-${number}`,
        runs: { takes_seconds: 0 },
      });
      await sync(emulator, id);
    }
    await expect.poll(() => runsOf(emulator, 5001), { timeout: 10_000 }).not.toEqual([]);

    const { code, output } = await schemathesis([
      "run",
      `${emulator.url}/openapi.json`,
      ...["--header", `x-api-key:${emulator.apiKey}`],
      ...["--checks", checks.join(",")],
      ...["--max-examples", "25"],
      ...["--max-redirects", "0"],
      ...["--request-timeout", "20"],
      ...["--seed", "1"],
    ]);
    expect(code, output).toBe(0);
    expect(output).toMatch(/Tested: 23/);
  },
  (timeLimitSeconds + 20) * 1000,
);

/** Runs schemathesis in a temporary folder, as it writes files into its working directory. */
async function schemathesis(args: readonly string[]): Promise<{ readonly code: number; readonly output: string }> {
  const cwd = await mkdtemp(join(tmpdir(), "schemathesis-"));
  onTestFinished(() => rm(cwd, { recursive: true, force: true }));
  return new Promise((resolve) => {
    const options = { cwd, timeout: timeLimitSeconds * 1000, maxBuffer: 64 * 1024 * 1024 };
    execFile(join(programs, "schemathesis"), ["--no-color", ...args], options, (error, stdout, stderr) => {
      const code = error === null ? 0 : typeof error.code === "number" ? error.code : 1;
      resolve({ code, output: `${stdout}${stderr}` });
    });
  });
}
