import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { runCommand } from "../../engine/run-command.ts";
import { createEmulator } from "../../src/emulator/index.ts";

const root = join(import.meta.dirname, "../..");

test.each([
  ["validate --format json", "true"],
  ["status --watch 1 --json", "head -n 1"],
])("a reader of `%s` that closes standard output early, as `%s` does, is no failure", async (command, reader) => {
  const emulator = await createEmulator();
  onTestFinished(() => emulator.close());
  const env = {
    ...process.env,
    INTEGRATION_PLATFORM_BASE_URL: emulator.url,
    INTEGRATION_PLATFORM_API_KEY: emulator.apiKey,
  };
  const script = `"${process.execPath}" src/cli/main.ts ${command} | ${reader}; exit "\${PIPESTATUS[0]}"`;
  const { code, stderr } = await runCommand("bash", ["-c", script], { cwd: root, env, timeLimitSeconds: 60 });
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
});
