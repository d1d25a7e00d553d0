import type { Tenant } from "../../api/index.ts";
import type { IntegrationScope } from "../../operation/integration-scope.ts";
import { type PlanMember, type RolloutPlan, readMembers } from "../tenant-fleet/rollout-plan.ts";
import { readIds } from "./ids.ts";
import { isReleaseId, type ReleaseRef, releaseRefOf } from "./release-ref.ts";
import type { Rollout } from "./rollout.ts";

/** A live tenant of a rollout, as the platform showed it. */
export interface RolloutTenant {
  id: number;
  key: string;
  tenant: Tenant;
  /** What it runs; `undefined` if the platform does not show it. */
  runs: ReleaseRef | undefined;
  /** Whether an override is in force. The rollout neither moves nor syncs such a tenant. */
  isOverridden: boolean;
}

/** The tenants of a rollout at one time. */
export interface RolloutView {
  integration: IntegrationScope;
  /** The tenants by id, without those that have left the rollout or were archived. */
  tenants: ReadonlyMap<number, RolloutTenant>;
  ranked: readonly PlanMember[];
  newcomers: readonly PlanMember[];
}

/** @param live all live tenants of the integration. */
export function rolloutViewOf(
  plan: RolloutPlan,
  integration: IntegrationScope,
  live: ReadonlyMap<number, Tenant>,
  rollout: Pick<Rollout, "before" | "release" | "superseded">,
): RolloutView {
  const ranked = readMembers(plan.members);
  const newcomers = readMembers(plan.newcomers);
  const overridden = new Set(readIds(plan.overridden ?? ""));
  const tenants = [...ranked, ...newcomers].flatMap(({ key, id }): [number, RolloutTenant][] => {
    const tenant = live.get(id);
    return key === undefined || tenant === undefined
      ? []
      : [[id, { id, key, tenant, runs: releaseRunBy(tenant, rollout), isOverridden: overridden.has(id) }]];
  });
  return { integration, tenants: new Map(tenants), ranked, newcomers };
}

/**
 * What a tenant runs. Some platforms omit the channel, and then the id may be the one that the channel selects. So a tenant
 * that followed a channel before still does, unless a rollout has moved it.
 */
export function releaseRunBy(
  tenant: Tenant,
  { before, release, superseded }: Pick<Rollout, "before" | "release" | "superseded">,
): ReleaseRef | undefined {
  const runs = releaseRefOf(tenant);
  const former = before.get(tenant.id);
  if (tenant.integration_release_channel !== undefined || former === undefined || isReleaseId(former)) return runs;
  return [release, ...superseded].map(String).includes(runs ?? "") ? runs : former;
}

/** A tenant in messages: `acme (1003)`. */
export function describeMember(view: RolloutView, id: number): string {
  const key = [...view.ranked, ...view.newcomers].find((member) => member.id === id && member.key !== undefined)?.key;
  return key === undefined ? String(id) : `${key} (${id})`;
}
