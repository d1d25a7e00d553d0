import { mkdtempSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { createEmulator } from "../../src/emulator/index.ts";
import { answersOf, parseProfile } from "../../src/platform-profile/profile.ts";
import { runCli } from "../cli/run-cli.ts";
import { liveNames } from "./listed-tenants.ts";

test.each([404, 405])(
  "a platform without PATCH of a tenant, which answers %i: calibrate says what cannot be managed",
  async (status) => {
    const emulator = await createEmulator();
    onTestFinished(() => emulator.close());
    const body = { detail: status === 405 ? "Method Not Allowed" : "Not Found" };
    const match = { method: "PATCH", path: "^/v2/tenants/\\d+$" };
    emulator.fault({ kind: "status", status, body, match, times: 999 });
    const out = join(mkdtempSync(join(tmpdir(), "calibrate-")), "platform.json");
    const args = ["--write", "--yes", "--integration", "crm-to-billing", "--out", out];
    const { code, stdout, stderr } = await runCli(emulator, ["calibrate", ...args]);
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    const answers = answersOf(parseProfile(readFileSync(out, "utf8"), out));
    expect(answers["tenant.patch"]).toEqual([]);
    expect(answers["paused.unconnected"]).toBeUndefined();
    expect(answers["metadata.patch"]).toBe("merge");
    expect(stdout).toContain("A change of name, schedule, release, paused, configs is refused");
    expect(await liveNames(emulator)).toEqual([]);
  },
);
