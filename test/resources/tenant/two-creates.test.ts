import { expect, test } from "vitest";
import type { FaultSpec } from "../../../src/emulator/index.ts";
import type { TenantInputs } from "../../../src/resources/tenant/schema.ts";
import { brought, complete, failureOf, stage } from "../stage.ts";

const onPost = { method: "POST", path: "^/v2/tenants$" };

test.each<[string, Partial<TenantInputs>, FaultSpec[]]>([
  ["the platform refused", {}, [{ kind: "status", status: 422, body: { message: "not today" }, match: onPost }]],
  ["names an unknown release", { release: { tag: "v0.0.0" } }, []],
])("a create that %s does not stand in the way of another one of that name in the same operation", async (...row) => {
  const [, change, faults] = row;
  await using on = await stage();
  for (const fault of faults) on.emulator.fault(fault);
  const { tenant } = on.operation();
  await failureOf(tenant.create({ ...complete, ...change }));
  expect(await on.live()).toEqual([]);
  const { id } = await tenant.create(complete);
  expect(await on.live()).toMatchObject([{ id: Number(id), name: "acme", paused: false }]);
});

test("a create whose POST was lost never takes a tenant that another resource manages, whatever its name", async () => {
  await using on = await stage();
  const first = { ...complete, name: "first", paused: true };
  const { id, state } = await brought(on, first);
  const { tenant } = on.operation();
  await tenant.read(id, state);
  await tenant.diff(id, state, first);
  await on.changeByHand(id, { name: "acme" }); // now it looks like the tenant of the next create
  on.emulator.clearRequests();
  on.emulator.fault({ kind: "cut-before", match: onPost });

  const second = { ...complete, metadata: { plan: "silver" } };
  const made = await tenant.create(second).catch((error: unknown) => error);

  expect(made).not.toMatchObject({ id });
  expect(on.writes().filter(({ request }) => request !== "POST /v2/tenants" && request.includes(id))).toEqual([]);
  expect(await on.tenant(id)).toMatchObject({
    name: "acme",
    archived: false,
    paused: true,
    metadata: { plan: "gold" },
  });
});
