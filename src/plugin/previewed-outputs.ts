import { isObject } from "../json/json-value.ts";
import { partOf } from "../json/key-path.ts";
import { isUnknown, unknownValue } from "../json/unknown.ts";
import type { ResourceType } from "../resources/pulumi/type-token.ts";

type Properties = Readonly<Record<string, unknown>>;

/** The outputs that no input has. An update keeps the stable ones; the others may change in any update. */
const outputs: Record<ResourceType, { stable: readonly string[]; changing: readonly string[] }> = {
  Tenant: { stable: ["tenantId", "integrationId"], changing: ["overridden", "waitingFor"] }, // only while it is overridden, or something waits
  TenantMetadata: { stable: [], changing: [] },
  Build: {
    stable: ["releaseId", "releaseName", "configVersion", "configSchemaDigest", "metadataSchemaDigest"],
    changing: [],
  },
  SyncTrigger: { stable: [], changing: ["triggerId", "status", "outcome", "secondsWaited"] },
  TenantFleet: { stable: ["integrationId"], changing: ["rolloutPlan"] }, // without a rollout, a fleet has no plan
  FleetRollout: { stable: [], changing: ["phase", "status", "release", "moved", "tenants", "remaining", "history"] },
};

/** The inputs that say which object of the platform it is: while one is unknown, it may turn out to be another one. */
const identifying: Partial<Record<ResourceType, readonly string[]>> = {
  Tenant: ["integration"],
  Build: ["integrationId", "tag", "branch"],
  TenantFleet: ["integration"],
};

/** The outputs of a resource that no input has. */
export function ownOutputs(type: ResourceType): readonly string[] {
  const { stable, changing } = outputs[type];
  return [...stable, ...changing];
}

/**
 * The outputs that a preview adds to the inputs, unknown where only `up` can know them.
 *
 * @param stored the state; `undefined` in the preview of a creation.
 */
export function previewedOutputs(type: ResourceType, inputs: Properties, stored?: Properties): Properties {
  const { stable, changing } = outputs[type];
  const before = identifying[type]?.some((key) => isUnknown(inputs[key])) ? undefined : stored;
  const own = Object.fromEntries([
    ...stable.map((key) => [key, before?.[key] ?? unknownValue]),
    ...changing.map((key) => [key, unknownValue]),
  ]);
  if (type === "Tenant") return ofTenant(own, inputs, before);
  if (type !== "TenantFleet") return own;
  const { rolloutPlan, ...ofAll } = own;
  const plan = inputs.rollout === undefined ? {} : { rolloutPlan };
  return { ...ofAll, ...plan, ...previewedTenants(inputs, before?.tenants) };
}

function ofTenant(
  { overridden, waitingFor: _, ...own }: Properties,
  inputs: Properties,
  before: Properties = {},
): Properties {
  return {
    ...own,
    ...(inputs.override === undefined ? {} : { overridden: before.overridden ?? overridden }),
    ...waitingOf(before),
  };
}

/** A fleet's tenants with their outputs. A tenant keeps its id as long as it is in the fleet. */
function previewedTenants({ tenants, ...fleet }: Properties, before: unknown): Properties {
  if (!isObject(tenants)) return { tenantIds: unknownValue };
  const ids = Object.keys(tenants).map(
    (key) => [key, partOf(partOf(before, key), "tenantId") ?? unknownValue] as const,
  );
  const withOutputs = ids.map(([key, tenantId]): [string, unknown] => {
    const entry = tenants[key];
    if (!isObject(entry)) return [key, unknownValue];
    const stored = partOf(before, key);
    const outputs = {
      ...previewedSync(fleet, entry, stored),
      ...overriddenOf(fleet, entry, stored),
      ...waitingOf(stored),
    };
    return [key, { ...entry, tenantId, ...outputs }];
  });
  return { tenantIds: Object.fromEntries(ids), tenants: Object.fromEntries(withOutputs) };
}

/** The sync of a fleet's tenant, if it has one: only `up` knows whether another one is due, and how it ends. */
function previewedSync(fleet: Properties, entry: Properties, stored: unknown): Properties {
  const syncs = [fleet.sync, entry.sync, partOf(stored, "sync")];
  if (syncs.every((sync) => sync === undefined)) return {};
  if (isUnknown(entry.sync)) return { sync: unknownValue };
  const unknowns = outputs.SyncTrigger.changing.map((key) => [key, unknownValue]);
  return { sync: { ...Object(entry.sync), ...Object.fromEntries(unknowns) } };
}

/** What waits of a tenant: only `up` knows whether it still does. */
function waitingOf(stored: unknown): Properties {
  return partOf(stored, "waitingFor") === undefined ? {} : { waitingFor: unknownValue };
}

function overriddenOf(fleet: Properties, entry: Properties, stored: unknown): Properties {
  const { override = fleet.override } = entry;
  return override === undefined ? {} : { overridden: partOf(stored, "overridden") ?? unknownValue };
}
