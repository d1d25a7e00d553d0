import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { expect, test } from "vitest";

const main = fileURLToPath(new URL("../../examples/scripted-day/main.ts", import.meta.url));

test("the example plays a day from the install to the disconnected connector, and ends by itself", async () => {
  const { stdout, stderr } = await promisify(execFile)(process.execPath, [main]);
  expect(stderr).toBe("");
  const lines = stdout.replaceAll(/(?<=triggers: )\d+/g, "TRIGGER").split("\n");
  expect(lines).toEqual([
    "00:00  user-77 has installed hr-to-payroll: tenant 5001",
    "00:00  and connected it: true",
    "00:01  the init sync has succeeded and found " +
      '{"departments":[{"const":"eng","title":"Engineering"},{"const":"sales","title":"Sales"}]}',
    "06:01  the schedule has fired, the run has succeeded",
    "12:01  webhook run_failed: run 7003 of acme has failed",
    "12:01  e-mail to operations@example.com: [sandbox] new_tenant_created,operations@example.com: [sandbox] run_failed",
    "2026-06-01T12:00:00.000Z INFO run 7003 of tenant acme (5001) started, mode normal",
    "2026-06-01T12:00:00.000Z INFO triggers: TRIGGER (schedule)",
    "2026-06-01T12:00:10.000Z INFO reading employees",
    "2026-06-01T12:00:10.000Z ERROR run 7003 failed: the payroll system refused employee 42",
    "",
    "24:01  payroll is disconnected, no schedule has fired since: true",
    "",
  ]);
});
