import { isDeepStrictEqual } from "node:util";
import { valueAt } from "../../json/key-path.ts";
import { isUnknown } from "../../json/unknown.ts";
import { type IntegrationScope, integrationScope } from "../../operation/integration-scope.ts";
import type { OperationContext } from "../../operation/operation-context.ts";
import { orUnknownName, UnknownNameError } from "../../snapshot/index.ts";
import { type ReleaseRef, selectorOf } from "../fleet-rollout/release-ref.ts";
import { resolvedSettings } from "../tenant/desired.ts";
import { entryAt } from "./entry.ts";
import { hasRollout, isPinned } from "./rollout.ts";
import { liveRefs } from "./rollout-outlook.ts";
import { type FleetEntryState, fleetEntrySchema, type TenantFleetState } from "./schema.ts";

const releaseSelector = fleetEntrySchema.shape.release;

/**
 * The state with the releases that the fleet manages from now on, so that a comparison with the declared ones finds no change
 * of a tenant where only the manager of its release changes:
 *
 * - While the fleet has a rollout, tenants without a release of their own have none in the state.
 * - A tenant whose release nobody managed so far, and that runs what it declares now, has it in the state.
 *
 * A sync that is due when the release changes has the digest of the release among its triggers. It comes and goes in the same
 * way, so that such a tenant is not synced.
 *
 * @param before the state after {@link withNewKeys}.
 */
export async function withManagedReleases(
  context: OperationContext,
  before: TenantFleetState,
  fleet: { tenants: Readonly<Record<string, object>> },
): Promise<{ state: TenantFleetState; isChanged: boolean }> {
  const [was, is] = [hasRollout(before), hasRollout(fleet)];
  if (!was && !is) return { state: before, isChanged: false };
  const scope = await integrationScope(context, before.integrationId);
  const isNewlyManaged = (key: string, { release }: FleetEntryState) =>
    was && release === undefined && isPinned(entryAt(fleet.tenants, key));
  const newlyManaged = Object.entries(before.tenants).filter(([key, entry]) => isNewlyManaged(key, entry));
  const ids = newlyManaged.map(([, { tenantId }]) => tenantId);
  const runs = ids.length === 0 ? undefined : await liveRefs(scope, ids, before);
  const entries = Object.entries(before.tenants).map(async ([key, entry]): Promise<[string, FleetEntryState]> => {
    const declared = entryAt(fleet.tenants, key);
    if (declared === undefined || isUnknown(declared)) return [key, entry];
    if (!isPinned(declared)) return [key, is ? withoutRelease(entry, fleet, declared) : entry];
    const isAsDeclared = isNewlyManaged(key, entry) && (await isDeclared(scope, runs?.get(entry.tenantId), declared));
    return [key, isAsDeclared ? withRelease(entry, declared) : entry];
  });
  const tenants = Object.fromEntries(await Promise.all(entries));
  const isChanged = Object.entries(tenants).some(([key, entry]) => entry !== entryAt(before.tenants, key));
  return { state: isChanged ? { ...before, tenants } : before, isChanged };
}

/** Whether what a tenant runs is what it declares. */
async function isDeclared(
  { releases }: IntegrationScope,
  runs: ReleaseRef | undefined,
  { release }: { release?: unknown },
): Promise<boolean> {
  const declared = releaseSelector.safeParse(release).data;
  if (declared === undefined || runs === undefined) return false;
  const resolved = await orUnknownName(resolvedSettings(releases, { release: declared }));
  return !(resolved instanceof UnknownNameError) && isDeepStrictEqual(resolved.release, selectorOf(runs));
}

function withoutRelease(entry: FleetEntryState, fleet: object, declared: unknown): FleetEntryState {
  const { sync } = entry;
  const isTriggerDeclared = [fleet, declared].some((of) => valueAt(of, ["sync", "triggers", "release"]) !== undefined);
  const isTriggerLeft = !isTriggerDeclared && valueAt(sync, ["triggers", "release"]) !== undefined;
  if (entry.release === undefined && !isTriggerLeft) return entry;
  const { release: _, ...rest } = entry;
  return isTriggerLeft && sync ? { ...rest, sync: withoutReleaseTrigger(sync) } : rest;
}

type SyncState = NonNullable<FleetEntryState["sync"]>;

function withoutReleaseTrigger({ triggers, ...sync }: SyncState): SyncState {
  const left = Object.entries(triggers ?? {}).filter(([key]) => key !== "release");
  return left.length === 0 ? sync : { ...sync, triggers: Object.fromEntries(left) };
}

function withRelease(
  entry: FleetEntryState,
  { release, sync }: Pick<FleetEntryState, "release" | "sync">,
): FleetEntryState {
  const trigger = sync?.triggers?.release;
  const isNew = entry.sync !== undefined && entry.sync.triggers?.release === undefined && trigger !== undefined;
  if (!isNew || entry.sync === undefined) return { ...entry, release };
  return { ...entry, release, sync: { ...entry.sync, triggers: { ...entry.sync.triggers, release: trigger } } };
}
