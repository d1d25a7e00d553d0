import { expect, test } from "vitest";
import { complete } from "../resources/stage.ts";
import { fleet } from "../resources/tenant-fleet/fleet-stage.ts";
import { changedInputs } from "./host-kinds.ts";
import { partialFailureOf } from "./partial-failure.ts";
import { stagedHost, unknownText } from "./staged-host.ts";

const incident = { paused: true, reason: "INC-42" };
const changed = { changes: changedInputs };
const none = { changes: 1 };

test.concurrent("a tenant is overridden, shows no drift, and is restored", async () => {
  await using staged = await stagedHost();
  const { on, host } = staged;
  const { id, properties } = await host.create(complete);
  const declared = { ...complete, override: incident };
  expect(await host.check(declared, complete)).toEqual({ inputs: declared, failures: [] });
  expect(await host.diff(id, properties, declared)).toMatchObject(changed);
  const after = await host.update(id, properties, declared);
  expect(after).toEqual({ ...properties, override: incident, overridden: { paused: false } });
  expect(await on.tenant(id)).toMatchObject({ paused: true });

  await using refresh = await staged.nextHost();
  expect(await refresh.read(id, after)).toEqual({ id, inputs: declared, properties: after });
  expect(await refresh.diff(id, after, declared)).toMatchObject(none);
  await on.changeByHand(id, { paused: false });
  await using drift = await staged.nextHost();
  const resumed = { ...incident, paused: false };
  const read = await drift.read(id, after);
  expect(read).toEqual({ id, inputs: { ...declared, override: resumed }, properties: { ...after, override: resumed } });
  await using next = await staged.nextHost();
  // the engine sends the inputs of the read as those before
  expect(await next.check(declared, read.inputs)).toEqual({ inputs: declared, failures: [] });
  expect(await next.diff(id, read.properties, declared)).toMatchObject(changed);
  expect(await next.update(id, read.properties, declared)).toEqual(after);
  expect(await next.update(id, after, complete)).toEqual(properties);
  expect(await on.tenant(id)).toMatchObject({ paused: false });
});

test.concurrent("a partial failure keeps what the tenant had", async () => {
  await using staged = await stagedHost();
  const { on, host } = staged;
  const { id, properties } = await host.create(complete);
  const declared = { ...complete, configs: { ...complete.configs, region: "mars" }, override: incident };
  const failure = await host.update(id, properties, declared).catch((error: unknown) => error);
  const kept = partialFailureOf(failure)?.properties;
  expect(kept).toMatchObject({ override: incident, overridden: { paused: false }, paused: false });
  expect(await on.tenant(id)).toMatchObject({ paused: true });
});

test.concurrent("an override that a preview does not know yet is a difference", async () => {
  await using staged = await stagedHost();
  const { id, properties } = await staged.host.create(complete);
  const declared = { ...complete, override: { ...incident, reason: unknownText } };
  expect(await staged.host.check(declared, complete)).toEqual({ inputs: declared, failures: [] });
  expect(await staged.host.diff(id, properties, declared)).toMatchObject(changed);
});

test.concurrent("the tenants of a fleet are overridden and restored", async () => {
  await using staged = await stagedHost({ member: "tenantFleet" });
  const { on, host } = staged;
  const { id, properties } = await host.create(fleet);
  const declared = { ...fleet, override: incident };
  const after = await host.update(id, properties, declared);
  expect((await on.live()).every(({ paused }) => paused)).toBe(true);
  expect(after).toMatchObject({ tenants: { acme: { paused: false, overridden: { paused: false } } } });

  await using refresh = await staged.nextHost();
  expect(await refresh.read(id, after)).toEqual({ id, inputs: declared, properties: after });
  expect(await refresh.diff(id, after, declared)).toMatchObject(none);
  const [resumed] = (await on.live()).filter(({ name }) => name === "acme");
  await on.changeByHand(resumed?.id ?? 0, { paused: false });
  await using drift = await staged.nextHost();
  const read = await drift.read(id, after);
  expect(read.inputs).toEqual({
    ...declared,
    tenants: { ...fleet.tenants, acme: { ...fleet.tenants.acme, override: { ...incident, paused: false } } },
  });
  expect(await drift.update(id, read.properties, declared)).toEqual(after);
  expect(await drift.update(id, after, fleet)).toEqual(properties);
});
