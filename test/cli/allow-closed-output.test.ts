import { join } from "node:path";
import { expect, test } from "vitest";
import { runCommand } from "../../engine/run-command.ts";

const root = join(import.meta.dirname, "../..");

test("a reader that closes standard output early is no failure of the command", async () => {
  const command = `"${process.execPath}" src/cli/main.ts validate --format json | true; exit "\${PIPESTATUS[0]}"`;
  const { code, stderr } = await runCommand("bash", ["-c", command], { cwd: root, timeLimitSeconds: 60 });
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
});
