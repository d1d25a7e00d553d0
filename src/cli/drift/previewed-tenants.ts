import { z } from "zod";
import { secretPathsSchema } from "../../inputs/input-schema.ts";
import { defined } from "../../json/defined.ts";
import { isJsonObject, type JsonObject, type JsonValue } from "../../json/json-value.ts";
import { resourceTypeOf } from "../../resources/pulumi/type-token.ts";
import { keptHistoryShape, type WaitingFor } from "../../resources/tenant/observed-tenant.ts";
import { isWaitingUntil } from "../../resources/tenant/waiting.ts";
import { withNewKeys } from "../../resources/tenant-fleet/entry.ts";
import { type DeclaredOverride, overrideOf } from "../../settings/override.ts";
import type { PropertyPath } from "../property-path.ts";
import { isSecret, type KeyPath } from "./differing-paths.ts";
import type { PreviewedResource } from "./preview-events.ts";

/** A tenant in a preview, whichever resource declares it. */
export interface PreviewedTenant {
  /** Name of the tenant; `tenant 5001` if only its metadata is managed here, and `fleet <name>` for a secret fleet. */
  tenant: string;
  tenantId: number | undefined;
  /** `Tenant`, `TenantMetadata` or `TenantFleet`. */
  type: string;
  /** The resource that declares the tenant. */
  resource: PreviewedResource;
  stored: JsonObject | undefined;
  actual: JsonObject | undefined;
  declared: JsonObject | undefined;
  /** The override that is applied to it: it began and has not been taken back. */
  override: DeclaredOverride | undefined;
  /** Whether the tenant stays on the platform when it is removed. */
  isRetained: boolean;
  /** Where secrets are declared, or were when the state was stored. An empty path: all of it is secret. */
  secretPaths: readonly KeyPath[];
  /** How many of its declared values the platform hides. */
  valuesNotCompared: number;
  /** How many tenants have settings that wait, by what these wait for. */
  waiting: Readonly<Record<WaitingFor["until"], number>>;
  /** The path in the inputs of the resource, for a path in the settings of the tenant. */
  pathInResource(path: KeyPath): PropertyPath;
}

/** The tenants that a resource declares. A build or a sync declares none. */
export function previewedTenants(resource: PreviewedResource): PreviewedTenant[] {
  const type = resourceTypeOf(resource.type);
  if (type === "Tenant") return [singleTenant(resource)];
  if (type === "TenantMetadata") return [metadataOfTenant(resource)];
  return type === "TenantFleet" ? tenantsOfFleet(resource) : [];
}

function singleTenant(resource: PreviewedResource): PreviewedTenant {
  const { stored, actual, declared, outputs, name } = resource;
  return {
    tenant: asString((declared ?? stored)?.name) ?? name,
    tenantId: asNumber(outputs.tenantId),
    type: "Tenant",
    resource,
    ...{ stored, actual, declared },
    override: appliedOverride(outputs, actual),
    isRetained: resource.isRetained,
    secretPaths: [declared, stored].flatMap(secretPathsOf),
    valuesNotCompared: countOf(outputs.unreadablePaths),
    waiting: waitingAmong([outputs]),
    pathInResource: (path) => path,
  };
}

function metadataOfTenant(resource: PreviewedResource): PreviewedTenant {
  const tenantId = asNumber((resource.declared ?? resource.stored)?.tenantId);
  const metadataOf = (inputs: JsonObject | undefined) =>
    inputs?.data === undefined ? undefined : defined({ tenantId: inputs.tenantId, metadata: inputs.data });
  return {
    tenant: tenantId === undefined ? resource.name : `tenant ${tenantId}`,
    tenantId,
    type: "TenantMetadata",
    resource,
    stored: metadataOf(resource.stored),
    actual: metadataOf(resource.actual),
    declared: metadataOf(resource.declared),
    override: undefined,
    isRetained: true, // without its declaration the tenant loses metadata, and nothing else
    secretPaths: [resource.declared, resource.stored]
      .flatMap(secretPathsOf)
      .map(([, ...path]) => ["metadata", ...path]),
    valuesNotCompared: countOf(resource.outputs.unreadablePaths),
    waiting: waitingAmong([]),
    pathInResource: ([setting = "", ...path]) => [setting === "metadata" ? "data" : setting, ...path],
  };
}

function tenantsOfFleet(resource: PreviewedResource): PreviewedTenant[] {
  if ([resource.declared, resource.actual].some((inputs) => isSecret(inputs?.tenants))) return [secretFleet(resource)];
  const declared = entriesOf(resource.declared);
  const stored = withNewKeys(entriesOf(resource.stored), declared);
  const actual = withNewKeys(entriesOf(resource.actual), declared);
  const observed = withNewKeys(entriesOf(resource.outputs), declared);
  const fleetSecretPaths = [resource.declared, resource.stored].flatMap(secretPathsOf);
  return Object.keys({ ...stored, ...actual, ...declared }).map((key): PreviewedTenant => {
    const named = (entries: Record<string, JsonObject>): JsonObject | undefined =>
      Object.hasOwn(entries, key) ? { name: key, ...entries[key] } : undefined;
    const own = (entries: Record<string, JsonObject>, fleet: JsonObject | undefined): JsonObject | undefined => {
      const entry = named(entries);
      return entry && { ...defined({ integration: fleet?.integration, override: fleet?.override }), ...entry };
    };
    return {
      tenant: asString((named(declared) ?? named(stored))?.name) ?? key,
      tenantId: asNumber(named(observed)?.tenantId),
      type: "TenantFleet",
      resource,
      stored: own(stored, resource.stored),
      actual: own(actual, resource.actual),
      declared: own(declared, resource.declared),
      override: appliedOverride(named(observed), own(actual, resource.actual)),
      isRetained: resource.isRetained || (named(actual)?.retainOnDelete ?? resource.actual?.retainOnDelete) === true,
      secretPaths: [
        ...[named(declared), named(stored)].flatMap(secretPathsOf),
        ...fleetSecretPaths.filter(([, tenant = key]) => tenant === key).map((path) => path.slice(2)),
      ],
      valuesNotCompared: countOf(named(observed)?.unreadablePaths),
      waiting: waitingAmong([named(observed) ?? {}]),
      pathInResource: (path) => ["tenants", key, ...path],
    };
  });
}

/** A fleet whose input `tenants` is one secret. Its tenants are unknown, so the fleet stands for all of them. */
function secretFleet(resource: PreviewedResource): PreviewedTenant {
  const { stored, actual, declared, name } = resource;
  const entries = Object.values(entriesOf(resource.outputs));
  return {
    tenant: `fleet ${name}`,
    tenantId: undefined,
    type: "TenantFleet",
    resource,
    ...{ stored, actual, declared },
    override: undefined,
    isRetained: resource.isRetained,
    secretPaths: [[]],
    valuesNotCompared: entries.reduce((sum, { unreadablePaths }) => sum + countOf(unreadablePaths), 0),
    waiting: waitingAmong(entries),
    pathInResource: (path) => path,
  };
}

function appliedOverride(
  observed: JsonObject | undefined,
  actual: JsonObject | undefined,
): DeclaredOverride | undefined {
  return observed?.overridden === undefined || actual === undefined ? undefined : overrideOf(actual);
}

function waitingAmong(tenants: readonly JsonObject[]): PreviewedTenant["waiting"] {
  const kept = tenants.map(({ waitingFor }) => z.object(keptHistoryShape).safeParse({ waitingFor }).data ?? {});
  const count = (event: WaitingFor["until"]) => kept.filter((one) => isWaitingUntil(one, event)).length;
  return { connected: count("connected"), options: count("options") };
}

function entriesOf(inputs: JsonObject | undefined): Record<string, JsonObject> {
  const tenants = inputs?.tenants;
  if (!isJsonObject(tenants)) return {};
  return Object.fromEntries(
    Object.entries(tenants).flatMap(([key, entry]) => (isJsonObject(entry) ? [[key, entry]] : [])),
  );
}

function secretPathsOf(inputs: JsonObject | undefined): KeyPath[] {
  return secretPathsSchema.safeParse(inputs?.secretPaths).data ?? [];
}

function countOf(paths: JsonValue | undefined): number {
  return Array.isArray(paths) ? paths.length : 0;
}

function asString(value: JsonValue | undefined): string | undefined {
  return typeof value === "string" ? value : undefined;
}

function asNumber(value: JsonValue | undefined): number | undefined {
  return typeof value === "number" ? value : undefined;
}
