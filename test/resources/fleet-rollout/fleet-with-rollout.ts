import { expect } from "vitest";
import { unknownValue } from "../../../src/json/unknown.ts";
import { fleetRolloutLifecycle } from "../../../src/resources/fleet-rollout/lifecycle.ts";
import {
  type FleetRolloutInputs,
  type FleetRolloutState,
  fleetRolloutStateSchema,
} from "../../../src/resources/fleet-rollout/schema.ts";
import { IncompleteError } from "../../../src/resources/lifecycle.ts";
import type { Stage } from "../stage.ts";
import { planIn, rolling, type Upped, up as upFleet } from "../tenant-fleet/rolling-fleet.ts";

/** What the state has of a fleet and its rollout after an `up`. */
export interface Both {
  fleet: Upped;
  rollout: FleetRolloutState | undefined;
}

/** An `up` of a fleet and its rollout, whose first wave is acme, if no other is given. */
export async function upBoth(...up: Parameters<typeof tryBoth>): Promise<Both> {
  const { failure, ...both } = await tryBoth(...up);
  if (failure !== undefined) throw failure;
  return both;
}

/** As {@link upBoth}, but the rollout may fail: then the state is the one that the engine stores. */
export async function tryBoth(
  on: Stage,
  inputs: Upped["inputs"],
  before?: Partial<Both>,
  strategy: Partial<FleetRolloutInputs> = {},
): Promise<Both & { failure?: IncompleteError<object> }> {
  const fleet = await upFleet(on, inputs, before?.fleet);
  if (fleet.state.rolloutPlan === undefined) return { fleet, rollout: undefined };
  const own: FleetRolloutInputs = {
    fleetName: inputs.name,
    integrationId: fleet.state.integrationId,
    plan: planIn(fleet),
    waves: [{ name: "canary", tenants: ["acme"] }, { percent: 100 }],
    gate: { minTenants: 0 },
    waitSeconds: 0.2,
    maxUnavailable: "100%",
    ...strategy,
  };
  const lifecycle = fleetRolloutLifecycle(on.operation().context);
  expect(await lifecycle.check(own, before?.rollout)).toEqual([]);
  const parse = (state: object) => fleetRolloutStateSchema.parse(JSON.parse(JSON.stringify(state)));
  try {
    if (before?.rollout === undefined) return { fleet, rollout: parse((await lifecycle.create(own)).state) };
    const { isChanged, isUnfinished = false } = await lifecycle.diff("", before.rollout, own);
    if (!isChanged && !isUnfinished) return { fleet, rollout: before.rollout };
    return { fleet, rollout: parse(await lifecycle.update("", before.rollout, own)) };
  } catch (error) {
    if (!(error instanceof IncompleteError)) throw error;
    return { fleet, rollout: parse(error.state), failure: error };
  }
}

/** So many `up`s of the same declaration. */
export async function upsBoth(
  count: number,
  on: Stage,
  inputs: Upped["inputs"],
  before: Both,
  strategy: Partial<FleetRolloutInputs> = {},
): Promise<Both> {
  let at = before;
  for (let done = 0; done < count; done += 1) at = await upBoth(on, inputs, at, strategy);
  return at;
}

/** A fleet after a rollout of v1, which has finished. */
export async function finishedOnV1(on: Stage, tenants: Upped["inputs"]["tenants"]): Promise<Both> {
  return upsBoth(1, on, rolling(tenants, "v1"), await upBoth(on, rolling(tenants, "v1")));
}

/** All tenants move in one wave, which then lacks its proof. */
export const unproven = { waves: [{ percent: 100 }], gate: { minTenants: 1 } };

/** A strategy whose first wave waits for an approval. */
export const withApproval = {
  waves: [{ name: "canary", tenants: ["acme"], approval: "required" as const }, { percent: 100 }],
  gate: { minTenants: 1 },
};

/** The state of a rollout, as if a wave of it had failed. */
export function failed({ rollout, ...at }: Both): Both {
  return { ...at, rollout: fleetRolloutStateSchema.parse({ ...rollout, phase: "failed" }) };
}

/**
 * What a preview says of a rollout whose plan it does not know.
 *
 * @param options whether it is the preview of `up --replace` of the fleet, and what the strategy changes.
 */
export async function preview(
  on: Stage,
  inputs: Upped["inputs"],
  at: Both,
  { isReplaced = false, strategy = {} }: { isReplaced?: boolean; strategy?: Partial<FleetRolloutInputs> } = {},
): Promise<string[]> {
  const { context, fleet } = on.operation();
  expect(await fleet.check(inputs, at.fleet.inputs)).toEqual([]);
  if (isReplaced) expect(await fleet.check(inputs, undefined)).toEqual([]);
  else await fleet.diff(at.fleet.id, at.fleet.state, inputs);
  if (at.rollout === undefined) throw new Error("there is no rollout");
  const { fleetName, integrationId, waves, gate } = at.rollout;
  const previewed = { fleetName, integrationId, waves, gate, ...strategy, plan: unknownValue };
  const lifecycle = fleetRolloutLifecycle(context);
  on.notes.length = 0;
  on.warnings.length = 0;
  await lifecycle.check(previewed, at.rollout);
  await lifecycle.diff("", at.rollout, previewed);
  return [...on.notes, ...on.warnings];
}
