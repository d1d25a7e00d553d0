import { describe, expect, test } from "vitest";
import type { FaultSpec } from "../../../src/emulator/index.ts";
import { brought, complete, stage } from "../stage.ts";

const now = { ...complete, schedule: "0 1 * * *", metadata: { plan: "silver" } };

describe.concurrent("a PATCH that took effect, with a lost response and reads that lag", () => {
  test.each<[string, RegExp, FaultSpec["match"]]>([
    ["of the tenant", /^PATCH \/v2\/tenants\/\d+$/, { method: "PATCH", path: "/v2/tenants/\\d+$" }],
    ["of its metadata", /^PATCH \/v2\/tenants\/\d+\/metadata$/, { method: "PATCH", path: "metadata$" }],
  ])("%s is sent once", async (_, patch, match) => {
    await using on = await stage({ variants: { visibility: "delayed" } });
    const { id, state } = await brought(on, complete, 5);
    on.emulator.fault({ kind: "cut-after", match });
    await on.operation({ consistencyTimeoutSeconds: 5 }).tenant.update(id, state, now);
    expect(on.writes().filter(({ request }) => patch.test(request))).toHaveLength(1);
    expect(await on.tenant(id)).toMatchObject({ user_schedule: now.schedule, metadata: now.metadata });
  });
});
