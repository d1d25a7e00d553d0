import { expect, test } from "vitest";
import { call } from "../../emulator/running-emulator.ts";
import { type Stage, stage } from "../stage.ts";

// Each run writes metadata at its end.

const acme = { integration: "crm-to-billing", name: "acme", metadata: { plan: "gold" } };

async function connect(on: Stage, id: string | number) {
  for (const name of ["crm", "billing"]) {
    await call(on.emulator, "POST", `/_emulator/tenants/${id}/connectors/${name}`, { status: "connected" });
  }
}

/** Begins a run, which sets the cursor at its end. */
async function run(on: Stage, id: string, cursor: number, takes_seconds: number) {
  await on.changeByHand(id, { runs: { takes_seconds, metadata: { cursor } } });
  const { status } = await call(on.emulator, "POST", `/v2/tenants/${id}/sync?mode=normal`);
  expect(status).toBe(202);
}

const slowly = { interval: 5, timeout: 20_000 };
const metadataOf = async (on: Stage, id: string) => (await on.tenant(id)).metadata;

test("a declared key that has changed without an up is told once, with the ways out", async () => {
  await using on = await stage();
  const { id, state } = await on.operation().tenant.create({ ...acme, metadata: { plan: "gold", cursor: 1 } });
  await connect(on, id);
  await run(on, id, 2, 0);
  await expect.poll(() => metadataOf(on, id), slowly).toMatchObject({ cursor: 2 });
  await on.operation().tenant.read(id, state);
  expect(on.notes).toEqual([expect.stringMatching(/^metadata\.cursor .*leave it out, or use ignoreChanges/)]);
  on.notes.length = 0;
  await on.operation().tenant.update(id, state, { ...acme, metadata: { plan: "tin", cursor: 1 } });
  expect(on.notes).toEqual([expect.stringMatching(/^metadata\.cursor .*leave it out, or use ignoreChanges/)]);
});
