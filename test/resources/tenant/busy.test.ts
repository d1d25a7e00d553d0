import { describe, expect, test } from "vitest";
import type { Variants } from "../../../src/emulator/index.ts";
import type { Lifecycle } from "../../../src/resources/lifecycle.ts";
import { call } from "../../emulator/running-emulator.ts";
import { failureOf } from "../../failure-of.ts";
import { withPassingTime } from "../passing-time.ts";
import { acme, type Operation, type Stage, stage } from "../stage.ts";

// A platform may refuse to change a tenant while a run of it is in progress. The change waits for the end of the run.

const before = { plan: "gold" };
const after = { plan: "silver" };

interface Kind {
  name: string;
  lifecycleOf(operation: Operation): Lifecycle<object, object>;
  inputsOf(tenantId: number, values: object): object;
  setting: "configs" | "metadata";
}

const kinds: readonly Kind[] = [
  {
    name: "Tenant",
    lifecycleOf: ({ tenant }) => Object(tenant),
    inputsOf: (adopt, configs) => ({ ...acme, adopt, configs }),
    setting: "configs",
  },
  {
    name: "TenantMetadata",
    lifecycleOf: ({ metadata }) => Object(metadata),
    inputsOf: (tenantId, data) => ({ tenantId, data }),
    setting: "metadata",
  },
  {
    name: "TenantFleet",
    lifecycleOf: ({ fleet }) => Object(fleet),
    inputsOf: (_, metadata) => ({
      integration: "crm-to-billing",
      name: "f",
      adopt: true,
      tenants: { acme: { metadata } },
    }),
    setting: "metadata",
  },
];

/** A connected tenant with a resource. A run of the tenant is in progress, on a platform whose time stands still. */
async function withRun({ lifecycleOf, inputsOf }: Kind, variants: Partial<Variants>) {
  const on = await stage({ clock: "manual", variants });
  const tenantId = await on.add({ integration: "crm-to-billing", name: "acme" });
  const { id, state } = await lifecycleOf(on.operation()).create(inputsOf(tenantId, before));
  await call(on.emulator, "POST", `/v2/tenants/${tenantId}/sync?mode=normal`);
  await on.emulator.advance({ seconds: 2 });
  on.emulator.clearRequests();
  return { on, id, state, tenantId, inputs: inputsOf(tenantId, after) };
}

function statusesOfPatches(on: Stage) {
  return on.emulator.requests().flatMap(({ method, status }) => (method === "PATCH" ? [status] : []));
}

describe.each(kinds)("$name", (kind) => {
  test.each(["409", "423"] as const)("waits for a tenant that is busy with a run, as a %s tells", async (busy) => {
    const { on: still, ...made } = await withRun(kind, { busy });
    const isMetadata = kind.setting === "metadata"; // a run writes it at its end, so the write waits for that without being refused
    const mayPass = () =>
      still.emulator.requests().some(({ method, path }) => method === "PATCH" || path.endsWith("/runs"));
    await using on = withPassingTime(still, mayPass);
    const state = await kind.lifecycleOf(on.operation()).update(made.id, made.state, made.inputs);
    expect(await on.tenant(made.tenantId)).toMatchObject({ [kind.setting]: after });
    expect(statusesOfPatches(on)).toEqual(isMetadata ? [200] : [Number(busy), 200]);
    expect(await kind.lifecycleOf(on.operation()).diff(made.id, state, made.inputs)).toEqual({ isChanged: false });
  });

  test.each(["409", "423"] as const)("says that the tenant is still busy after a time, as a %s tells", async (busy) => {
    const { on, ...made } = await withRun(kind, { busy });
    await using _ = on;
    const lifecycle = kind.lifecycleOf(on.operation({ busyTimeoutSeconds: 0.1 }));
    const { message } = await failureOf(lifecycle.update(made.id, made.state, made.inputs));
    expect(message).toMatch(/acme" \(id \d+\) has been busy for 0\.1 s/);
    expect(message).not.toMatch(/Correct the request|silver/);
    expect(await on.tenant(made.tenantId)).toMatchObject({ [kind.setting]: before });
  });
});

test("a 409 for resuming a tenant that is not connected waits for the customer, as such a tenant has no run", async () => {
  await using on = await stage();
  const { id, state } = await on.operation().tenant.create(acme);
  const match = { method: "PATCH", path: "^/v2/tenants/\\d+$" } as const;
  on.emulator.fault({ kind: "status", status: 409, body: { message: "conflict" }, times: 1, match });
  const updated = await on.operation().tenant.update(id, state, { ...acme, paused: false });
  expect(updated).toMatchObject({ paused: false, waitingFor: [{ path: ["paused"], until: "connected" }] });
  expect(await on.tenant(id)).toMatchObject({ paused: true });
});

test("a 409 for another change of a tenant that is not connected is an error", async () => {
  await using on = await stage();
  const { id, state } = await on.operation().tenant.create(acme);
  const match = { method: "PATCH", path: "^/v2/tenants/\\d+$" } as const;
  on.emulator.fault({ kind: "status", status: 409, body: { message: "conflict" }, times: 1, match });
  const { message } = await failureOf(on.operation().tenant.update(id, state, { ...acme, schedule: "0 1 * * *" }));
  expect(message).toContain("status 409");
  expect(await on.tenant(id)).toMatchObject({ user_schedule: null });
});

test("a tenant whose run never seems to end does not delay the others of its fleet", async () => {
  const on = await stage({ clock: "manual", variants: { busy: "409" } });
  await using _ = on;
  const ids = await Promise.all(["acme", "bluebird"].map((name) => on.add({ integration: "crm-to-billing", name })));
  const fleetOf = (metadata: { plan: string }) => ({
    ...{ integration: "crm-to-billing", name: "f", adopt: true as const },
    tenants: { acme: { metadata }, bluebird: { metadata } },
  });
  const made = await on.operation().fleet.create(fleetOf(before));
  await call(on.emulator, "POST", `/v2/tenants/${ids[0]}/sync?mode=normal`);
  await on.emulator.advance({ seconds: 2 });
  const { message } = await failureOf(
    on.operation({ busyTimeoutSeconds: 0.1 }).fleet.update(made.id, made.state, fleetOf(after)),
  );
  expect(message).toContain("has been busy for");
  const plans = await Promise.all(ids.map(async (id) => (await on.tenant(id)).metadata?.plan));
  expect(plans).toEqual(["gold", "silver"]);
});
