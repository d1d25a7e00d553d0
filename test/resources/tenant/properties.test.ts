import fc from "fast-check";
import { expect, test } from "vitest";
import type { JsonObject } from "../../../src/api/index.ts";
import type { Variants } from "../../../src/emulator/index.ts";
import { defaultVariants } from "../../../src/emulator/index.ts";
import { IncompleteError } from "../../../src/resources/lifecycle.ts";
import { NotRemovableError } from "../../../src/resources/tenant/bring-about.ts";
import type { TenantInputs, TenantState } from "../../../src/resources/tenant/schema.ts";
import { type Stage, stage } from "../stage.ts";
import { anything, inputs, inputsWithUnknowns, json, seed, variants, withoutNulls } from "./arbitrary.ts";

const bounds = { seed: 20261121, numRuns: 120, interruptAfterTimeLimit: 9000, markInterruptAsFailure: false };

test("whatever is declared, and whatever the platform is like: what was brought about shows no difference", async () => {
  await using on = await stage({ seed });
  await fc.assert(
    fc.asyncProperty(variants, inputs, inputs, json, async (chosen, first, second, theirs) => {
      await begin(on, chosen);
      const [before, after] = withoutNulls([first, second] as const, chosen);

      const made = await on.operation({ settleSeconds: 0.05 }).tenant.create(before);
      await expectSettled(on, made.id, made.state, before);

      const undeclared = await addTheirs(on, made.id, withoutNulls(theirs, chosen));
      await expectSettled(on, made.id, made.state, before);

      const updated = await update(on, made, after, chosen);
      if (updated !== undefined) await expectSettled(on, made.id, updated, after);
      expect(await on.tenant(made.id)).toMatchObject(undeclared);
      expect(JSON.stringify(on.writes())).not.toContain("***");
      expect(await on.live()).toHaveLength(1);
    }),
    bounds,
  );
});

test("whatever is not known yet: neither check nor diff falls over it", async () => {
  await using on = await stage({ seed });
  const known: TenantInputs = { integration: "crm", name: "acme", release: { tag: "v3" }, configs: { a: { x: [1] } } };
  const { id, state } = await on.operation().tenant.create(known);
  await fc.assert(
    fc.asyncProperty(inputsWithUnknowns, async (unknown) => {
      const { tenant } = on.operation();
      expect(await tenant.check(unknown, undefined)).toEqual(await tenant.check(unknown, undefined));
      await tenant.check(unknown, known);
      await tenant.diff(id, state, unknown);
    }),
    { ...bounds, numRuns: 300, interruptAfterTimeLimit: 4000 },
  );
});

test("whatever a program says: check answers with failures by path, and never falls over it", async () => {
  await using on = await stage({ seed });
  const { tenant } = on.operation();
  await fc.assert(
    fc.asyncProperty(anything, async (unchecked) => {
      for (const { property, reason } of await tenant.check(unchecked, undefined)) {
        expect(property).not.toBe("");
        expect(reason).not.toMatch(/undefined|\[object|Symbol/);
      }
    }),
    { ...bounds, numRuns: 500, interruptAfterTimeLimit: 4000 },
  );
});

async function begin(on: Stage, chosen: Partial<Variants>) {
  await on.emulator.reset();
  on.emulator.setVariants({ ...defaultVariants, ...chosen });
}

/** No difference, no drift, and the state holds what is declared and nothing else. */
async function expectSettled(on: Stage, id: string, state: TenantState, declared: TenantInputs) {
  expect(state).toEqual({ ...declared, tenantId: Number(id), integrationId: 1 });
  const { tenant } = on.operation();
  expect(await tenant.read(id, state)).toEqual({ inputs: declared, state });
  expect(await tenant.diff(id, state, declared)).toEqual({ isChanged: false });
}

/** Keys that nobody declares, as the platform's users and runs leave them. */
async function addTheirs(on: Stage, id: string, theirs: JsonObject) {
  const { configs, metadata } = await on.tenant(id);
  const undeclared = { configs: { theirs }, metadata: { theirs } };
  await on.changeByHand(id, {
    configs: { ...configs, ...undeclared.configs },
    metadata: { ...metadata, ...undeclared.metadata },
  });
  return undeclared;
}

/** The state after an update; `undefined` where a key had to go and the platform merges, which is an error that says so. */
async function update(
  on: Stage,
  made: { id: string; state: TenantState },
  after: TenantInputs,
  chosen: Partial<Variants>,
) {
  try {
    return await on.operation({ settleSeconds: 0.05 }).tenant.update(made.id, made.state, after);
  } catch (error) {
    if (!(error instanceof IncompleteError) || !(error.cause instanceof NotRemovableError)) throw error;
    expect([chosen.configs, chosen.metadata]).toContain("merge");
    return undefined;
  }
}
