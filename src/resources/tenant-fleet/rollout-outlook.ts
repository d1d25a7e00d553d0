import type { Tenant } from "../../api/index.ts";
import type { IntegrationScope } from "../../operation/integration-scope.ts";
import { type ReleaseRef, releaseRefOf, selectorOf } from "../fleet-rollout/release-ref.ts";
import { beforeOf, makePlan, type PlanBasis, type RolloutTarget, releaseOfNewcomers } from "./make-plan.ts";
import { type DeclaredRollout, type Membership, membershipOf } from "./rollout.ts";
import { type RolloutPlan, readMembers } from "./rollout-plan.ts";
import type { TenantFleetState } from "./schema.ts";

/** A fleet with a rollout, before its update has written anything. */
export interface FleetBefore {
  /** Name of the fleet. */
  name: string;
  rollout: DeclaredRollout;
  /** The declared tenants. In a preview, they may have unknown parts. */
  tenants: Readonly<Record<string, unknown>>;
  /** The state after `withNewKeys`, as the fleet stored it: an entry may have a release that it no longer declares. */
  stored: Pick<TenantFleetState, "tenants" | "rolloutPlan">;
  /** The keys of the tenants whose override is in force. */
  overridden: ReadonlySet<string>;
}

/** What an update is going to do about a rollout. */
export interface RolloutOutlook {
  membership: Membership;
  target: RolloutTarget;
  /** The plan, still without the tenants that the update creates. */
  plan: RolloutPlan;
  /** The release or channel on which the update creates tenants. */
  newRelease: ReleaseRef;
  basis: PlanBasis;
}

/** Reads what a fleet's tenants run, and plans its rollout. Throws `UnknownNameError` if the target does not exist. */
export async function rolloutOutlook(integration: IntegrationScope, fleet: FleetBefore): Promise<RolloutOutlook> {
  const { name, rollout, tenants, stored, overridden } = fleet;
  const membership = membershipOf(tenants, rollout);
  const target = await targetOf(integration, rollout);
  const members = membership.members.flatMap((key) => {
    const entry = Object.hasOwn(stored.tenants, key) ? stored.tenants[key] : undefined;
    return entry === undefined ? [] : [{ key, id: entry.tenantId }];
  });
  const ids = members.map(({ id }) => id);
  const basis = {
    fleet: name,
    target,
    stored: stored.rolloutPlan,
    members,
    overridden,
    runs: await liveRefs(integration, ids, stored),
  };
  const plan = makePlan(basis);
  return { membership, target, plan, newRelease: releaseOfNewcomers(plan, basis), basis };
}

/** The target of a rollout. Throws `UnknownNameError` if the integration has no such release. */
export async function targetOf(
  { releases }: Pick<IntegrationScope, "releases">,
  { release: { tag, id = Number.NaN }, attempt = 1 }: DeclaredRollout,
): Promise<RolloutTarget> {
  const release = tag === undefined ? await releases.byId(id) : await releases.byTag(tag);
  return { release: release.id, label: release.tag || String(release.id), attempt };
}

/** What the live ones among the tenants run; `undefined` for those whose release the platform does not show. */
export async function liveRefs(
  { tenants }: Pick<IntegrationScope, "tenants">,
  ids: readonly number[],
  stored: FleetBefore["stored"],
): Promise<Map<number, ReleaseRef | undefined>> {
  const all = await tenants.all();
  return refsOf(await Promise.all(ids.map((id) => all.get(id) ?? tenants.get(id))), stored);
}

/** What these tenants run. */
export function refsOf(
  tenants: readonly (Tenant | undefined)[],
  stored: FleetBefore["stored"],
): Map<number, ReleaseRef | undefined> {
  const channels = channelsIn(stored);
  const byRollouts = releasesOfRollouts(stored.rolloutPlan);
  return new Map(
    tenants.flatMap((tenant) => {
      if (tenant === undefined) return [];
      return [[tenant.id, refOf(tenant, channels.get(tenant.id), byRollouts)] as const];
    }),
  );
}

/**
 * What a tenant runs. Some platforms omit the channel, and then the id may be the one that the channel selects. So the last
 * known channel counts, unless a rollout has moved the tenant.
 */
function refOf(
  tenant: Tenant,
  channel: string | undefined,
  byRollouts: ReadonlySet<ReleaseRef>,
): ReleaseRef | undefined {
  const shown = releaseRefOf(tenant);
  if (tenant.integration_release_channel !== undefined || channel === undefined) return shown;
  return shown !== undefined && byRollouts.has(shown) ? shown : channel;
}

/** The channels that tenants had in the state, or before the rollout. */
function channelsIn({ tenants, rolloutPlan }: FleetBefore["stored"]): Map<number, string> {
  const declared = Object.values(tenants).map(({ tenantId, release }) => [tenantId, release?.channel] as const);
  const before = rolloutPlan === undefined ? [] : beforeOf(rolloutPlan);
  const planned = [...before].map(([id, ref]) => [id, ref === undefined ? undefined : channelOf(ref)] as const);
  const known = [...planned, ...declared].flatMap(([id, channel]): [number, string][] =>
    channel === undefined ? [] : [[id, channel]],
  );
  return new Map(known);
}

function channelOf(ref: ReleaseRef): string | undefined {
  const selector = selectorOf(ref);
  return "channel" in selector ? selector.channel : undefined;
}

function releasesOfRollouts(plan: RolloutPlan | undefined): Set<ReleaseRef> {
  return new Set(plan && [plan, ...plan.earlier].map(({ release }) => String(release)));
}

/** The keys of a plan's members that have not left. */
export function keyedMembers(members: string): { key: string; id: number }[] {
  return readMembers(members).flatMap(({ key, id }) => (key === undefined ? [] : [{ key, id }]));
}
