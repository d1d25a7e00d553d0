import type { EmulatorOptions, Variants } from "../../../src/emulator/index.ts";
import {
  type TenantFleetInputs,
  type TenantFleetState,
  tenantFleetStateSchema,
} from "../../../src/resources/tenant-fleet/schema.ts";
import { type Stage, stage } from "../stage.ts";

type Rollout = NonNullable<TenantFleetInputs["rollout"]>;

const schemaOf = (...keys: string[]) => ({
  type: "object",
  properties: Object.fromEntries(keys.map((key) => [key, { type: "string" }])),
  additionalProperties: false,
});

/** Three releases: 501 is v1, 502 is v2 and 503 is v3. Tenants without a release run 501. */
const releases = [
  { id: 501, name: "one", tag: "v1", created_date: "2026-01-01T00:00:00.000Z", config_schema: schemaOf("region") },
  { id: 502, name: "two", tag: "v2", created_date: "2026-02-01T00:00:00.000Z", config_schema: schemaOf("currency") },
  { id: 503, name: "three", tag: "v3", created_date: "2026-03-01T00:00:00.000Z", config_schema: schemaOf("currency") },
];

export async function rollingStage(variants: Partial<Variants> = {}, options: EmulatorOptions = {}): Promise<Stage> {
  return stage({
    ...options,
    variants,
    seed: { integrations: [{ id: 1, name: "crm", releases, default_release_id: 501 }] },
  });
}

/** A fleet whose rollout, if it has one, goes to the release with the tag. */
export function rolling(
  tenants: TenantFleetInputs["tenants"] | readonly string[],
  rollout?: string | Rollout,
  more: Partial<TenantFleetInputs> = {},
): TenantFleetInputs {
  const entries = Array.isArray(tenants) ? Object.fromEntries(tenants.map((key) => [key, {}])) : tenants;
  const to = typeof rollout === "string" ? { release: { tag: rollout } } : rollout;
  return { integration: "crm", name: "billing", ...more, tenants: { ...entries }, ...(to ? { rollout: to } : {}) };
}

/** The state that the engine has of a fleet after an `up`. */
export interface Upped {
  id: string;
  inputs: TenantFleetInputs;
  state: TenantFleetState;
  /** What the diff answered; `undefined` for a create. */
  diff?: object;
}

/** An `up` as the engine makes it, in one operation: check, diff, and then the create or an update if there is something to do. */
export async function up(on: Stage, inputs: TenantFleetInputs, before?: Upped): Promise<Upped> {
  const { fleet } = on.operation({ consistencyTimeoutSeconds: 3 });
  const failures = await fleet.check(inputs, before?.inputs);
  if (failures.length > 0) throw new Error(JSON.stringify(failures));
  if (before === undefined) {
    const { id, state } = await fleet.create(inputs);
    return { id, inputs, state: stored(state) };
  }
  const diff = await fleet.diff(before.id, before.state, inputs);
  const hasWork = diff.isChanged || diff.isUnfinished === true;
  return {
    id: before.id,
    inputs,
    state: hasWork ? stored(await fleet.update(before.id, before.state, inputs)) : before.state,
    diff,
  };
}

/** A fleet that runs v1, then gets a rollout to v2 that nobody has moved in. The request log is empty. */
export async function underWay(on: Stage, keys: readonly string[], rollout: string | Rollout = "v2"): Promise<Upped> {
  const made = await up(on, rolling(keys, rollout), await up(on, rolling(keys)));
  on.emulator.clearRequests();
  on.notes.length = 0;
  on.warnings.length = 0;
  return made;
}

/** The state as it comes back from the engine. */
export function stored(state: TenantFleetState): TenantFleetState {
  return tenantFleetStateSchema.parse(JSON.parse(JSON.stringify(state)));
}

/** Moves tenants as a rollout does, or a person. */
export async function move(on: Stage, { state }: Upped, keys: readonly string[], to: number | string): Promise<void> {
  for (const key of keys) {
    const release =
      typeof to === "number"
        ? { integration_release_id: to, integration_release_channel: null }
        : { integration_release_id: null, integration_release_channel: to };
    await on.changeByHand(state.tenants[key]?.tenantId ?? 0, release);
  }
}

/** What each live tenant runs, by name: the id of a release, or a channel. */
export async function runs(on: Stage): Promise<Record<string, number | string | null>> {
  const all = await Promise.all((await on.live()).map(({ id }) => on.tenant(id)));
  return Object.fromEntries(
    all.map((one) => [one.name, one.integration_release_channel ?? one.integration_release_id]),
  );
}

/** The stored plan. Throws if there is none. */
export function planIn({ state }: Upped) {
  if (state.rolloutPlan === undefined) throw new Error("the fleet has no plan");
  return state.rolloutPlan;
}

/** The keys of a list of a plan, in its order. A tenant that has left has an empty one. */
export function keysOf(list: string): string[] {
  return list === "" ? [] : list.split(" ").map((member) => member.replace(/=.*/, ""));
}

/** The ids of a list of a plan, in its order. */
export function idsOf(list: string): number[] {
  return list === "" ? [] : list.split(" ").map((member) => Number(member.replace(/.*=/, "")));
}
