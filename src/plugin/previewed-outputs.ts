import { isObject } from "../json/is-object.ts";
import { isUnknown, unknownValue } from "../json/unknown.ts";
import type { ResourceType } from "../resources/pulumi/type-token.ts";

type Properties = Readonly<Record<string, unknown>>;

/** The outputs that no input has. An update keeps the stable ones; the others may change in any update. */
const outputs: Record<ResourceType, { stable: readonly string[]; changing: readonly string[] }> = {
  Tenant: { stable: ["tenantId", "integrationId"], changing: ["overridden"] }, // only while it is overridden
  TenantMetadata: { stable: [], changing: [] },
  Build: {
    stable: ["releaseId", "releaseName", "configVersion", "configSchemaDigest", "metadataSchemaDigest"],
    changing: [],
  },
  SyncTrigger: { stable: [], changing: ["triggerId", "status", "outcome", "secondsWaited"] },
  TenantFleet: { stable: ["integrationId"], changing: ["rolloutPlan"] }, // without a rollout, a fleet has no plan
  FleetRollout: { stable: [], changing: ["phase", "status", "release", "moved", "tenants", "remaining", "history"] },
};

/** The outputs of a resource that no input has. */
export function ownOutputs(type: ResourceType): readonly string[] {
  const { stable, changing } = outputs[type];
  return [...stable, ...changing];
}

/**
 * The outputs that a preview adds to the inputs, unknown where only `up` can know them.
 *
 * @param before the state; `undefined` in the preview of a creation.
 */
export function previewedOutputs(type: ResourceType, inputs: Properties, before?: Properties): Properties {
  const { stable, changing } = outputs[type];
  const own = Object.fromEntries([
    ...stable.map((key) => [key, before?.[key] ?? unknownValue]),
    ...changing.map((key) => [key, unknownValue]),
  ]);
  if (type === "Tenant") return ofTenant(own, inputs, before);
  if (type !== "TenantFleet") return own;
  const { rolloutPlan, ...ofAll } = own;
  const plan = inputs.rollout === undefined ? {} : { rolloutPlan };
  return { ...ofAll, ...plan, ...previewedTenants(inputs.tenants, before?.tenants) };
}

function ofTenant({ overridden, ...own }: Properties, inputs: Properties, before: Properties = {}): Properties {
  return inputs.override === undefined ? own : { ...own, overridden: before.overridden ?? overridden };
}

/** A fleet's tenants with their ids. A tenant keeps its id as long as it is in the fleet. */
function previewedTenants(tenants: unknown, before: unknown): Properties {
  if (!isObject(tenants)) return { tenantIds: unknownValue };
  const idOf = (key: string) => {
    const entry = isObject(before) ? before[key] : undefined;
    return isObject(entry) ? (entry.tenantId ?? unknownValue) : unknownValue;
  };
  const ids = Object.keys(tenants).map((key): [string, unknown] => [key, idOf(key)]);
  const withIds = ids.map(([key, tenantId]): [string, unknown] => {
    const entry = tenants[key];
    return [key, isUnknown(entry) ? entry : { ...Object(entry), tenantId }];
  });
  return { tenantIds: Object.fromEntries(ids), tenants: Object.fromEntries(withIds) };
}
