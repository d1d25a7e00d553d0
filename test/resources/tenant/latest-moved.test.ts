import { expect, test } from "vitest";
import { call } from "../../emulator/running-emulator.ts";
import { type Stage, stage } from "../stage.ts";

// A push to the tracking branch makes a release: tenants on the channel Latest move without an up.

const acme = { integration: "shop-to-erp", name: "acme", release: { channel: "Latest" as const } };

async function push(on: Stage, tag: string) {
  const made = await call(on.emulator, "POST", "/_emulator/integrations/102/releases", { name: tag, tag });
  expect(made.status).toBe(200);
}

const moved = expect.stringMatching(/Latest of integration "shop-to-erp" has moved from v2\.1\.0 to v9 since up/);

test("a preview, a refresh and drift say from where to where Latest has moved since up wrote the tenant", async () => {
  await using on = await stage();
  const { id, state } = await on.operation().tenant.create(acme);
  expect(await on.operation().tenant.diff(id, state, acme)).toEqual({ isChanged: false });
  expect(on.notes).toEqual([]);

  await push(on, "v9");
  expect(await on.operation().tenant.diff(id, state, acme)).toEqual({ isChanged: false });
  expect(on.notes).toEqual([moved]);
  expect(await on.operation().tenant.read(id, state)).toEqual({ inputs: acme, state });
  expect(on.notes).toEqual([moved, moved]);

  const changed = { ...acme, schedule: "0 3 * * *" };
  const written = await on.operation().tenant.update(id, state, changed);
  on.notes.length = 0;
  expect(await on.operation().tenant.diff(id, written, changed)).toEqual({ isChanged: false });
  expect(on.notes).toEqual([]);
});

test("of a fleet's tenants it is said once, and of those on another release not at all", async () => {
  await using on = await stage();
  const { release } = acme;
  const tenants = { one: { release }, two: { release }, three: { release: { tag: "v2.0.0" } } };
  const fleet = { integration: "shop-to-erp", name: "all", tenants };
  const { id, state } = await on.operation().fleet.create(fleet);
  await push(on, "v9");
  on.notes.length = 0;
  expect(await on.operation().fleet.diff(id, state, fleet)).toEqual({ isChanged: false });
  expect(on.notes).toEqual([moved]);
});
