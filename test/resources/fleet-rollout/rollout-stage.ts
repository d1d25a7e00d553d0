import type { EmulatorOptions } from "../../../src/emulator/index.ts";
import { fleetRolloutLifecycle } from "../../../src/resources/fleet-rollout/lifecycle.ts";
import { releaseRefOf, writeReleaseRefs } from "../../../src/resources/fleet-rollout/release-ref.ts";
import {
  type FleetRolloutInputs,
  type FleetRolloutState,
  fleetRolloutStateSchema,
} from "../../../src/resources/fleet-rollout/schema.ts";
import { IncompleteError } from "../../../src/resources/lifecycle.ts";
import { type RolloutPlan, writeMembers } from "../../../src/resources/tenant-fleet/rollout-plan.ts";
import { call } from "../../emulator/running-emulator.ts";
import { fastStage } from "../passing-time.ts";
import type { Stage } from "../stage.ts";

/** The releases of the emulator's first integration. */
export const [older, newer] = [901, 902];

/** A stage with a fleet of connected tenants on the older release, and the plan that takes them to the newer one. */
export interface RolloutStage extends Stage {
  /** The ids of the tenants, by key: `t1` to `t10`. */
  ids: Record<string, number>;
  /** What the fleet would store. */
  plan: RolloutPlan;
  /** Who runs the newer release, by key, as the platform shows it. */
  moved(): Promise<string[]>;
  /** Who was asked to sync, by key, in order. */
  synced(): string[];
  /** The `PATCH` requests since the log was cleared, by key. */
  written(): string[];
}

export async function rolloutStage({
  tenants = 10,
  tenant = {},
  options = {},
}: {
  tenants?: number;
  /** What each tenant has over a connected one on the older release. */
  tenant?: object;
  options?: EmulatorOptions;
} = {}): Promise<RolloutStage> {
  const on = await fastStage(options);
  const keys = Array.from({ length: tenants }, (_, index) => `t${index + 1}`);
  const ids: Record<string, number> = {};
  for (const key of keys) {
    ids[key] = await on.add({
      integration: "crm-to-billing",
      name: key,
      user_name: `user-${key}`,
      integration_release_id: older,
      ...tenant,
    });
  }
  const keyOf = (id: number) => keys.find((key) => ids[key] === id) ?? String(id);
  const live = await on.live();
  on.emulator.clearRequests();
  const requested = (method: string, pattern: RegExp) =>
    on.emulator.requests().flatMap((request) => {
      const [, id] = request.method === method ? (pattern.exec(request.path) ?? []) : [];
      return id === undefined ? [] : [keyOf(Number(id))];
    });
  return {
    ...on,
    ids,
    plan: {
      number: 1,
      release: newer,
      label: "v1.1.0",
      attempt: 1,
      from: String(older),
      members: writeMembers(keys.map((key) => ({ key, id: ids[key] ?? 0 }))),
      newcomers: "",
      before: writeReleaseRefs(new Map(live.map((one) => [one.id, releaseRefOf(one)]))),
      joined: "",
      earlier: [],
    },
    moved: async () =>
      (await on.live()).filter((one) => one.integration_release_id === newer).map(({ id }) => keyOf(id)),
    synced: () => requested("POST", /^\/v2\/tenants\/(\d+)\/sync$/),
    written: () => requested("PATCH", /^\/v2\/tenants\/(\d+)$/),
  };
}

/** The inputs of a rollout with a canary and two more waves. */
export function inputsOf(on: RolloutStage, more: Partial<FleetRolloutInputs> = {}): FleetRolloutInputs {
  return {
    fleetName: "billing",
    integrationId: 101,
    plan: on.plan,
    waves: [{ name: "canary", tenants: ["t3"] }, { percent: 50 }, { percent: 100 }],
    waitSeconds: 5,
    ...more,
  };
}

/** The result of an `up`: the state that the engine stores, and the error message if it failed. */
export interface UpResult {
  state: FleetRolloutState;
  message: string | undefined;
}

/** Calls the lifecycle as an `up` of the engine does: an update only if the diff asks for one. */
export async function up(
  on: RolloutStage,
  inputs: FleetRolloutInputs,
  stored?: FleetRolloutState,
  options?: Parameters<Stage["operation"]>[0],
): Promise<UpResult> {
  const one = fleetRolloutLifecycle(on.operation(options).context);
  await one.check(inputs, stored);
  const id = `${inputs.integrationId}/${inputs.fleetName}`;
  try {
    if (stored === undefined) return { state: parse((await one.create(inputs)).state), message: undefined };
    const { isChanged, isUnfinished = false } = await one.diff(id, stored, inputs);
    if (!isChanged && !isUnfinished) return { state: stored, message: undefined };
    return { state: parse(await one.update(id, stored, inputs)), message: undefined };
  } catch (error) {
    if (!(error instanceof IncompleteError)) throw error;
    return { state: parse(error.state), message: error.message };
  }
}

/** Several `up`s, each with the state of the one before. */
export async function ups(
  on: RolloutStage,
  inputs: FleetRolloutInputs,
  count: number,
  stored?: FleetRolloutState,
): Promise<FleetRolloutState> {
  let state = stored;
  for (let one = 0; one < count; one += 1) ({ state } = await up(on, inputs, state));
  if (state === undefined) throw new Error("there was no up");
  return state;
}

/** Makes the runs of tenants on the newer release fail. */
export async function failOnNewer(on: RolloutStage, ...keys: string[]): Promise<void> {
  await call(on.emulator, "PATCH", "/_emulator/integrations/101", {
    runs: { takes_seconds: 0, releases: [{ tag: "v1.1.0", tenants: keys, outcome: "fail" }] },
  });
}

/** A rollout of t1 and t3 that rolls back if it fails, and whose newcomer t2 was created on the new release: its inputs. */
export async function withNewcomerOnNewer(on: RolloutStage): Promise<FleetRolloutInputs> {
  const { t1, t2, t3 } = on.ids;
  await on.changeByHand(t2 ?? 0, { integration_release_id: newer });
  const before = { most: String(older), others: { [newer ?? 0]: String(t2) } };
  const plan = { ...on.plan, members: `t1=${t1} t3=${t3}`, newcomers: `t2=${t2}`, before };
  return inputsOf(on, { plan, waves: [{ percent: 100 }], maxUnavailable: "100%", onFailure: "rollback" });
}

function parse(state: object): FleetRolloutState {
  return fleetRolloutStateSchema.parse(JSON.parse(JSON.stringify(state)));
}
