import { describe, expect, test } from "vitest";
import type { FaultSpec, Variants } from "../../../src/emulator/index.ts";
import { call } from "../../emulator/running-emulator.ts";
import { failureOf } from "../../failure-of.ts";
import { acme, type Stage, stage } from "../stage.ts";

// A tenant whose customer has not connected it may not be resumed yet. It waits, and is resumed once it is connected.

const running = { ...acme, paused: false };
const fleetOf = (configs: object = {}) => ({
  ...{ integration: "crm-to-billing", name: "billing" },
  tenants: { acme: { paused: false, configs: { ...configs } } },
});
const waiting = [{ path: ["paused"], reason: expect.stringMatching(/connect/), until: "connected" }];

async function connect(on: Stage, id: string | number) {
  for (const name of ["crm", "billing"]) {
    await call(on.emulator, "POST", `/_emulator/tenants/${id}/connectors/${name}`, { status: "connected" });
  }
}

/** The bodies of the PATCHes of tenants since the log was cleared. */
function patches(on: Stage) {
  return on.writes().flatMap(({ request, body }) => (request.startsWith("PATCH ") ? [body] : []));
}

const platforms = (["refused", "ignored"] as const).flatMap((pausedUnconnected) =>
  (["object", "echoed", "nothing"] as const).map(
    (patchAnswer): Partial<Variants> => ({ pausedUnconnected, patchAnswer }),
  ),
);

describe.each(platforms)("on a platform with %j", (variants) => {
  test("a tenant that cannot be resumed yet is created, waits, and is resumed after its customer has connected it", async () => {
    await using on = await stage({ variants });
    const { id, state } = await on.operation().tenant.create(running);
    expect(state).toMatchObject({ paused: false, waitingFor: waiting });
    expect(await on.tenant(id)).toMatchObject({ paused: true });

    on.emulator.clearRequests();
    expect(await on.operation().tenant.diff(id, state, running)).toEqual({ isChanged: false });
    expect(await on.operation().tenant.read(id, state)).toEqual({ inputs: running, state });
    expect(patches(on)).toEqual([]);

    const changed = { ...running, configs: { region: "eu" } };
    const updated = await on.operation().tenant.update(id, state, changed);
    expect(patches(on)).toEqual([{ configs: { region: "eu" } }]);
    expect(updated).toMatchObject({ paused: false, waitingFor: waiting });

    await connect(on, id);
    expect(await on.operation().tenant.diff(id, updated, changed)).toEqual({ isChanged: false, isUnfinished: true });
    const resumed = await on.operation().tenant.update(id, updated, changed);
    expect(await on.tenant(id)).toMatchObject({ paused: false });
    expect(resumed).toMatchObject({ paused: false });
    expect(resumed).not.toHaveProperty("waitingFor");
    expect(await on.operation().tenant.diff(id, resumed, changed)).toEqual({ isChanged: false });
  });

  test("so does a tenant of a fleet", async () => {
    await using on = await stage({ variants });
    const { id, state } = await on.operation().fleet.create(fleetOf());
    const { tenantId = 0 } = state.tenants.acme ?? {};
    expect(state.tenants.acme).toMatchObject({ paused: false, waitingFor: waiting });
    expect(await on.tenant(tenantId)).toMatchObject({ paused: true });

    on.emulator.clearRequests();
    expect(await on.operation().fleet.diff(id, state, fleetOf())).toEqual({ isChanged: false });
    expect(await on.operation().fleet.read(id, state)).toMatchObject({ state });
    const updated = await on.operation().fleet.update(id, state, fleetOf({ region: "eu" }));
    expect(patches(on)).toEqual([{ configs: { region: "eu" } }]);
    expect(updated.tenants.acme).toMatchObject({ paused: false, waitingFor: waiting });

    await connect(on, tenantId);
    expect(await on.operation().fleet.diff(id, updated, fleetOf({ region: "eu" }))).not.toEqual({ isChanged: false });
    const resumed = await on.operation().fleet.update(id, updated, fleetOf({ region: "eu" }));
    expect(await on.tenant(tenantId)).toMatchObject({ paused: false });
    expect(resumed.tenants.acme).not.toHaveProperty("waitingFor");
  });
});

const refusal = {
  kind: "status" as const,
  body: { detail: [{ loc: ["body", "paused"], msg: "not now", type: "x" }] },
};
const ofTenant = { method: "PATCH", path: "^/v2/tenants/\\d+$" } as const;

test.each<[string, FaultSpec, RegExp]>([
  ["refused", { ...refusal, status: 422, times: 99, match: ofTenant }, /status 422/],
  ["ignored", { kind: "ignore-fields", fields: ["paused"], times: 99, match: ofTenant }, /not applied paused/],
])("it is an error if it is %s for a connected tenant", async (_, fault, message) => {
  await using on = await stage();
  const { id, state } = await on.operation().tenant.create(acme);
  await connect(on, id);
  on.emulator.fault(fault);
  const failure = await failureOf(on.operation().tenant.update(id, state, running));
  expect(failure.message).toMatch(message);
  expect(await on.tenant(id)).toMatchObject({ paused: true });
});

test.each([401, 403, 404, 405, 413])("a %i is no reason to wait", async (status) => {
  await using on = await stage();
  const { id, state } = await on.operation().tenant.create(acme);
  on.emulator.fault({ ...refusal, status, times: 99, match: ofTenant });
  const failure = await failureOf(on.operation().tenant.update(id, state, running));
  expect(failure.message).toContain(`status ${status}`);
});

test("a refusal of other settings, sent before the tenant is resumed, is an error", async () => {
  await using on = await stage({ variants: { pausedUnconnected: "refused" } });
  const { id, state } = await on.operation().tenant.create(acme);
  on.emulator.fault({ ...refusal, status: 422, times: 99, match: ofTenant });
  const failure = await failureOf(on.operation().tenant.update(id, state, { ...running, configs: { region: "eu" } }));
  expect(failure.message).toContain("status 422");
});
