import fc from "fast-check";
import { expect, test } from "vitest";
import type { Variants } from "../../../src/emulator/index.ts";
import { defaultVariants } from "../../../src/emulator/index.ts";
import type { JsonObject } from "../../../src/json/json-value.ts";
import { IncompleteError } from "../../../src/resources/lifecycle.ts";
import type { TenantInputs, TenantState } from "../../../src/resources/tenant/schema.ts";
import { NotRemovableError } from "../../../src/resources/tenant/send.ts";
import { type Stage, stage } from "../stage.ts";
import { anything, inputs, inputsWithUnknowns, json, seed, variants, withoutNulls } from "./arbitrary.ts";
import { differencesFrom } from "./tenant-model.ts";

const fixed = { seed: 20261121 };
const timeLimit = 180_000;

test(
  "any declaration is applied on any platform, and then shows no difference",
  async () => {
    await using on = await stage({ seed });
    let cases = 0;
    await fc.assert(
      fc.asyncProperty(variants, inputs, inputs, json, async (chosen, first, second, theirs) => {
        cases += 1;
        await begin(on, chosen);
        const isFilled = chosen.schemaDefaults === "fill";
        const [before, after] = withoutNulls([first, second] as const, chosen);

        const made = await on.operation({ consistencyTimeoutSeconds: 0.05 }).tenant.create(before);
        expect(differencesFrom({ declared: before, isFilled, isRemoved: true }, await onlyTenant(on, made.id))).toEqual(
          [],
        );
        await expectSettled(on, made.id, made.state, before);

        await addTheirs(on, made.id, withoutNulls(theirs, chosen));
        const standing = await onlyTenant(on, made.id);
        await expectSettled(on, made.id, made.state, before);

        const updated = await update(on, made, after, chosen);
        const expected = {
          declared: after,
          formerly: before,
          before: standing,
          isFilled,
          isRemoved: updated !== undefined,
        };
        expect(differencesFrom(expected, await onlyTenant(on, made.id))).toEqual([]);
        if (updated !== undefined) await expectSettled(on, made.id, updated, after);
        expect(JSON.stringify(on.writes())).not.toContain("***");
      }),
      { ...fixed, numRuns: 60 },
    );
    expect(cases).toBe(60);
  },
  timeLimit,
);

test(
  "check and diff never throw on unknown values",
  async () => {
    await using on = await stage({ seed });
    const known: TenantInputs = {
      integration: "crm",
      name: "acme",
      release: { tag: "v3" },
      configs: { a: { x: [1] } },
    };
    const { id, state } = await on.operation().tenant.create(known);
    await fc.assert(
      fc.asyncProperty(inputsWithUnknowns, async (unknown) => {
        const { tenant } = on.operation();
        expect(await tenant.check(unknown, undefined)).toEqual(await tenant.check(unknown, undefined));
        await tenant.check(unknown, known);
        await tenant.diff(id, state, unknown);
      }),
      { ...fixed, numRuns: 300 },
    );
  },
  timeLimit,
);

test(
  "check returns failures with paths for any input, and never throws",
  async () => {
    await using on = await stage({ seed });
    const { tenant } = on.operation();
    await fc.assert(
      fc.asyncProperty(anything, async (unchecked) => {
        for (const { property, reason } of await tenant.check(unchecked, undefined)) {
          expect(property).not.toBe("");
          expect(reason).not.toMatch(/undefined|\[object|Symbol/);
        }
      }),
      { ...fixed, numRuns: 500 },
    );
  },
  timeLimit,
);

async function begin(on: Stage, chosen: Partial<Variants>) {
  await on.emulator.reset();
  on.emulator.setVariants({ ...defaultVariants, ...chosen });
}

/** The only live tenant, as the platform stores it. */
async function onlyTenant(on: Stage, id: string) {
  expect((await on.live()).map((tenant) => String(tenant.id))).toEqual([id]);
  return on.tenant(id);
}

/** Expects no difference and no drift, and that the state contains the declaration. */
async function expectSettled(on: Stage, id: string, state: TenantState, declared: TenantInputs) {
  const { configs, metadata } = declared;
  expect(state).toMatchObject({ ...declared, tenantId: Number(id), integrationId: 1 });
  expect([state.configs, state.metadata]).toEqual([configs, metadata]);
  const { tenant } = on.operation();
  expect(await tenant.read(id, state)).toEqual({ inputs: declared, state });
  expect(await tenant.diff(id, state, declared)).toEqual({ isChanged: false });
}

/** Undeclared keys, as the platform's users and runs leave them. */
async function addTheirs(on: Stage, id: string, theirs: JsonObject) {
  const { configs, metadata } = await on.tenant(id);
  await on.changeByHand(id, { configs: { ...configs, theirs }, metadata: { ...metadata, theirs } });
}

/** The state after an update. `undefined` if the update must remove a key and the platform cannot, which is an error. */
async function update(
  on: Stage,
  made: { id: string; state: TenantState },
  after: TenantInputs,
  chosen: Partial<Variants>,
) {
  try {
    return await on.operation({ consistencyTimeoutSeconds: 0.05 }).tenant.update(made.id, made.state, after);
  } catch (error) {
    if (!(error instanceof IncompleteError) || !(error.cause instanceof NotRemovableError)) throw error;
    expect([chosen.configs, chosen.metadata]).toContain("merge");
    return undefined;
  }
}
