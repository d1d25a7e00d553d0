import { integrationScope } from "../../operation/integration-scope.ts";
import type { OperationContext } from "../../operation/operation-context.ts";
import { selectorOf } from "../fleet-rollout/release-ref.ts";
import type { NewTenants } from "../tenant/create.ts";
import { makePlan } from "./make-plan.ts";
import { overriddenKeys } from "./overridden.ts";
import { knownRollout, membershipOf } from "./rollout.ts";
import { refsOf, rolloutOutlook } from "./rollout-outlook.ts";
import type { RolloutPlan } from "./rollout-plan.ts";
import type { FleetEntryState, TenantFleetInputs, TenantFleetState } from "./schema.ts";

/** What an update of a fleet with a rollout does about it. */
export interface RolloutStep {
  /** The tenants that belong to the rollout, by key. */
  members: ReadonlySet<string>;
  /** How those members are created that do not exist yet. */
  newTenants: NewTenants;
  /** The plan to store with the tenants after the step. */
  planWith(tenants: ReadonlyMap<string, FleetEntryState>): Promise<RolloutPlan>;
}

/**
 * Prepares the rollout of a fleet, before the update writes anything; `undefined` if the fleet has none.
 *
 * @param stored the state after `withNewKeys`, as the fleet stored it.
 */
export async function rolloutStep(
  context: OperationContext,
  stored: TenantFleetState,
  inputs: TenantFleetInputs,
): Promise<RolloutStep | undefined> {
  const rollout = knownRollout(inputs);
  if (rollout === undefined) return undefined;
  const integration = await integrationScope(context, stored.integrationId);
  const { name, tenants } = inputs;
  const overridden = await overriddenKeys(context, inputs, stored);
  const fleet = { name, rollout, tenants, stored, overridden };
  const { plan, basis, newRelease } = await rolloutOutlook(integration, fleet);
  const members = new Set(membershipOf(tenants, rollout).members);
  const created = new Set<number>();
  return {
    members,
    newTenants: { releases: [selectorOf(newRelease)], created: (id) => created.add(id) },
    planWith: async (after) => {
      const present = [...members].flatMap((key) => {
        const entry = after.get(key);
        return entry === undefined ? [] : [{ key, id: entry.tenantId }];
      });
      // a failed request would lose the state of what has been written: the list has been read before
      const all = await integration.tenants.all();
      const runs = new Map([
        ...refsOf(
          present.map(({ id }) => all.get(id)),
          stored,
        ),
        ...basis.runs,
      ]);
      // a platform may not show a new tenant yet, or not its release
      for (const id of created) runs.set(id, newRelease);
      // a tenant that could not be restored is still paused by an override that has ended
      const notRestored = present.flatMap(({ key }) => (after.get(key)?.overridden === undefined ? [] : [key]));
      const paused = new Set([...overridden, ...notRestored]);
      // also one that did not finish, and that all of its tenants run
      const isOfRollout = [plan, ...plan.earlier].some(({ release }) => newRelease === String(release));
      const onRelease = isOfRollout ? created : new Set<number>();
      return makePlan({ ...basis, members: present, runs, created: onRelease, overridden: paused }, plan.from);
    },
  };
}
