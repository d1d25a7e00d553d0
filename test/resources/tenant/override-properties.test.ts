import fc from "fast-check";
import { expect, test } from "vitest";
import { createManualClock } from "../../../src/emulator/index.ts";
import { IncompleteError } from "../../../src/resources/lifecycle.ts";
import { type TenantInputs, type TenantState, tenantStateSchema } from "../../../src/resources/tenant/schema.ts";
import { type Stage, stage } from "../stage.ts";

const origin = Date.parse("2030-01-01T00:00:00Z");
const hour = 3600;

/** What somebody does before the next `up`. */
type Step =
  | { kind: "declare"; paused: boolean | undefined; schedule: string; override: "none" | "open" | number }
  | { kind: "by hand"; paused: boolean }
  | { kind: "wait"; hours: number }
  | { kind: "refresh" }
  | { kind: "up"; fails: "no" | "first write" | "second write" };

const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({
    kind: fc.constant("declare" as const),
    paused: fc.constantFrom(undefined, true, false),
    schedule: fc.constantFrom("0 1 * * *", "0 2 * * *"),
    override: fc.constantFrom<"none" | "open" | number>("none", "open", 3, 6),
  }),
  fc.record({ kind: fc.constant("by hand" as const), paused: fc.boolean() }),
  fc.record({ kind: fc.constant("wait" as const), hours: fc.integer({ min: 1, max: 4 }) }),
  fc.constant({ kind: "refresh" as const }),
);

const up: fc.Arbitrary<Step> = fc.record({
  kind: fc.constant("up" as const),
  fails: fc.constantFrom("no", "no", "first write", "second write"),
});

test("whatever happens, an up leaves a tenant paused under an override, and otherwise as declared or as before", async () => {
  let [restored, overridden] = [0, 0];
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.tuple(step, up), { minLength: 4, maxLength: 10 }),
      fc.boolean(),
      async (rounds, answers) => {
        const variants = answers ? {} : { patchAnswer: "nothing" as const };
        await using on = await stage({ clock: createManualClock("2030-01-01T00:00:00Z"), variants });
        let declared: TenantInputs = { integration: "crm-to-billing", name: "acme", schedule: "0 1 * * *" };
        const made = await on.operation().tenant.create(declared);
        let state: TenantState = made.state;
        let hours = 0;
        /** What the tenant had when the override began that is not over yet. */
        let before: boolean | undefined;

        for (const one of rounds.flat()) {
          if (one.kind === "declare") declared = declaredBy(one, declared);
          else if (one.kind === "by hand") await on.changeByHand(made.id, { paused: one.paused });
          else if (one.kind === "wait") {
            hours += one.hours;
            await on.emulator.advance({ seconds: one.hours * hour });
          } else if (one.kind === "refresh") state = (await on.operation().tenant.read(made.id, state))?.state ?? state;
          else {
            const live = (await on.tenant(made.id)).paused;
            const until = declared.override?.until;
            const isInForce = declared.override !== undefined && (until === undefined || hours < hoursOf(until));
            const isRefused = one.fails === "first write" && !live; // the pause is the first write
            if (isInForce && !isRefused) before ??= live;
            const up = await upped(on, made.id, state, declared, one.fails);
            state = up.state;
            const kept = await on.tenant(made.id);
            if (up.isDone && isInForce) {
              overridden += 1;
              expect(kept.paused).toBe(true);
            } else if (up.isDone) {
              if (before !== undefined) restored += 1;
              expect(kept.paused).toBe(declared.paused ?? before ?? live);
              before = undefined;
            }
            expect(state.overridden?.paused).toBe(before);
            if (up.isDone) {
              expect(kept.user_schedule).toBe(declared.schedule);
              expect(await on.operation().tenant.read(made.id, state)).toEqual({ inputs: declared, state });
              expect(await on.operation().tenant.diff(made.id, state, declared)).toEqual({ isChanged: false });
            }
          }
        }
      },
    ),
    { seed: 20301, numRuns: 60 },
  );
  expect(restored).toBeGreaterThan(5);
  expect(overridden).toBeGreaterThan(20);
}, 180_000);

function declaredBy(
  { paused, schedule, override }: Extract<Step, { kind: "declare" }>,
  { integration, name }: TenantInputs,
) {
  const ending = typeof override === "number" ? { until: new Date(origin + override * hour * 1000).toISOString() } : {};
  return {
    integration,
    name,
    schedule,
    ...(paused === undefined ? {} : { paused }),
    ...(override === "none" ? {} : { override: { paused: true, reason: "INC-42", ...ending } }),
  };
}

function hoursOf(until: string): number {
  return (Date.parse(until) - origin) / (hour * 1000);
}

/** The state after an `up`, of which a write may fail. */
async function upped(on: Stage, id: string, state: TenantState, inputs: TenantInputs, fails: string) {
  const skip = fails === "second write" ? 1 : 0;
  if (fails !== "no") on.emulator.fault({ kind: "status", status: 403, match: { method: "PATCH" }, times: 1, skip });
  try {
    return { state: await on.operation().tenant.update(id, state, inputs), isDone: true };
  } catch (error) {
    if (!(error instanceof IncompleteError)) throw error;
    return { state: tenantStateSchema.parse(error.state), isDone: false };
  } finally {
    on.emulator.clearFaults();
  }
}
