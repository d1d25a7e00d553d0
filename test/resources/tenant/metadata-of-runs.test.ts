import { describe, expect, test } from "vitest";
import { call } from "../../emulator/running-emulator.ts";
import { eventually } from "../../eventually.ts";
import { type Stage, stage } from "../stage.ts";

// Each run writes metadata at its end. A write of the whole metadata must not write an older cursor back.

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

const metadataOf = async (on: Stage, id: string) => (await on.tenant(id)).metadata;

const racers = Array.from({ length: 10 }, (_, index) => index);

describe.concurrent.each(["listed", "missing"] as const)("where runs are %s", (runsList) => {
  test.each(racers)(
    "a run that ends while metadata is written loses nothing, or is named, in five races (%d)",
    async (racer) => {
      await using on = await stage({ variants: { metadata: "replace", runsList } });
      let { id, state } = await on.operation().tenant.create(acme);
      await connect(on, id);
      for (let race = 1; race <= 5; race += 1) {
        on.warnings.length = 0;
        await run(on, id, race, racer / 500);
        const plan = `plan-${race}`;
        state = await on.operation().tenant.update(id, state, { ...acme, metadata: { plan } });
        await eventually(async () => {
          const { metadata } = await on.tenant(id);
          const isKept =
            Object(metadata).cursor === race || on.warnings.some((one) => /ended while its metadata/.test(one));
          expect({ metadata, isKept }).toEqual({ metadata: expect.objectContaining({ plan }), isKept: true });
        });
      }
    },
  );
});

test.each(["listed", "missing"] as const)(
  "a write waits for a run that is in progress, where runs are %s",
  async (runsList) => {
    await using on = await stage({ clock: "manual", variants: { metadata: "replace", runsList } });
    const { id, state } = await on.operation().tenant.create(acme);
    await connect(on, id);
    await on.changeByHand(id, { metadata: { plan: "gold", cursor: 1 } });
    await run(on, id, 2, 60);
    await on.emulator.advance({ seconds: 5 });
    on.emulator.clearRequests();
    on.emulator.fault({ kind: "delay", ms: 60_000, match: { method: "PATCH", path: "/metadata$" } });
    const update = on.operation().tenant.update(id, state, { ...acme, metadata: { plan: "tin" } });
    await eventually(() => expect(on.emulator.requests().some(({ path }) => path.endsWith("/metadata"))).toBe(true));
    await on.emulator.advance({ seconds: 90 });
    expect(await metadataOf(on, id)).toMatchObject({ plan: "gold", cursor: 2 });
    on.emulator.clearFaults();
    await update;
    expect(await metadataOf(on, id)).toEqual({ plan: "tin", cursor: 2 });
    expect(on.warnings).toEqual([]);
  },
);

test("a run that begins and ends between the read and the write is named, with the keys that may be old", async () => {
  await using on = await stage({ variants: { metadata: "replace" } });
  const { id, state } = await on.operation().tenant.create(acme);
  await connect(on, id);
  await on.changeByHand(id, { metadata: { plan: "gold", cursor: 1 } });
  on.emulator.fault({ kind: "delay", ms: 60_000, match: { method: "PATCH", path: "/metadata$" } });
  const update = on.operation().tenant.update(id, state, { ...acme, metadata: { plan: "tin" } });
  await eventually(() => expect(on.emulator.requests().some(({ path }) => path.endsWith("/runs"))).toBe(true));
  await run(on, id, 2, 0);
  await eventually(async () => expect(await metadataOf(on, id)).toMatchObject({ cursor: 2 }));
  on.emulator.clearFaults();
  await update;
  expect(on.warnings).toEqual([
    expect.stringMatching(/tenant "acme" .*: run \d+ ended while .* one of metadata\.cursor/),
  ]);
});

test("a declared key that has changed without an up is told once, with the ways out", async () => {
  await using on = await stage();
  const { id, state } = await on.operation().tenant.create({ ...acme, metadata: { plan: "gold", cursor: 1 } });
  await connect(on, id);
  await run(on, id, 2, 0);
  await eventually(async () => expect(await metadataOf(on, id)).toMatchObject({ cursor: 2 }));
  await on.operation().tenant.read(id, state);
  expect(on.notes).toEqual([expect.stringMatching(/^metadata\.cursor .*leave it out, or use ignoreChanges/)]);
  on.notes.length = 0;
  await on.operation().tenant.update(id, state, { ...acme, metadata: { plan: "tin", cursor: 1 } });
  expect(on.notes).toEqual([expect.stringMatching(/^metadata\.cursor .*leave it out, or use ignoreChanges/)]);
});
