import { describe, expect, test } from "vitest";
import { type Stage, stage } from "../stage.ts";
import { operation } from "./fleet-stage.ts";

const fleet = { integration: "crm-to-billing", name: "billing" };

function manyTenants(count: number) {
  return Object.fromEntries(Array.from({ length: count }, (_, index) => [`t-${index}`, {}]));
}

describe("the notes about a fleet", () => {
  test("tell how many tenants it creates, in the check, as a preview calls nothing else", async () => {
    await using on = await stage();
    const inputs = { ...fleet, tenants: manyTenants(200) };
    expect(await operation(on).check(inputs, undefined)).toEqual([]);
    expect(on.notes).toEqual(['fleet "billing": creates 200 tenants']);
    expect(on.warnings).toEqual([]);
  });

  test("tell how many tenants its removal archives", async () => {
    await using on = await stage();
    const { id, state } = await operation(on).create({ ...fleet, tenants: { acme: {}, bluebird: {} } });
    await operation(on).delete(id, state);
    expect(on.notes).toEqual(['fleet "billing": archives 2 tenants']);
  });

  test("name the tenants that it takes over, once, and do not count them as created", async () => {
    await using on = await stage();
    const [acme, dune] = [await left(on, "acme"), await left(on, "dune")];
    const inputs = { ...fleet, tenants: { acme: {}, bluebird: {}, dune: {} } };
    const one = operation(on);
    await one.check(inputs, undefined);
    await one.create(inputs);
    expect(on.notes).toEqual([
      'fleet "billing": creates 1 tenant, takes over 2',
      `fleet "billing": acme takes over ${acme}, dune takes over ${dune}`,
    ]);
  });

  test("name only the first of many tenants that it takes over", async () => {
    await using on = await stage();
    const tenants = manyTenants(25);
    for (const name of Object.keys(tenants)) await left(on, name);
    await operation(on).check({ ...fleet, tenants }, undefined);
    expect(on.notes[0]).toBe('fleet "billing": takes over 25 tenants');
    expect(on.notes[1]).toMatch(/t-19 takes over \d+ and 5 more$/);
  });

  test("tell what an update takes over", async () => {
    await using on = await stage();
    const before = { ...fleet, tenants: { acme: {} } };
    const { id, state } = await operation(on).create(before);
    const dune = await left(on, "dune");
    const now = { ...fleet, tenants: { acme: {}, dune: {}, eagle: {} } };
    const one = operation(on);
    await one.check(now, before);
    await one.diff(id, state, now);
    expect(on.notes).toEqual([
      `fleet "billing": dune takes over ${dune}`,
      'fleet "billing": creates 1 tenant, takes over 1; 1 unchanged',
    ]);
  });
});

/** A tenant as a killed up leaves it: on the platform, and not in the state. */
async function left(on: Stage, name: string): Promise<number> {
  const status = { auth: { connected: false, connectors: [] } };
  return on.add({ integration: 101, name, paused: true, source: "api", status });
}
