import { isJsonObject, type JsonObject, type JsonValue } from "../../api/index.ts";
import { secretPathsSchema } from "../../resources/input-schema.ts";
import { renamed } from "../../resources/tenant-fleet/entry.ts";
import { isSecret, type Path, pathText } from "./differing-paths.ts";
import type { PreviewedResource } from "./preview-events.ts";

/** A tenant in a preview, whatever resource declares it. */
export interface PreviewedTenant {
  /** The name of the tenant; of one whose metadata alone is managed here, `tenant 5001`. */
  tenant: string;
  tenantId: number | undefined;
  /** `Tenant`, `TenantMetadata`, `TenantFleet`, and the name of that resource. */
  type: string;
  resource: PreviewedResource;
  stored: JsonObject | undefined;
  actual: JsonObject | undefined;
  declared: JsonObject | undefined;
  /** Where secrets are declared, or were when it was stored: `["configs", "api_token"]`; `[]` where all of it is secret. */
  secretPaths: readonly Path[];
  /** How many of its declared values the platform hides. */
  valuesNotCompared: number;
  /** What the engine calls the place of a setting in the resource's inputs. */
  enginePath(path: Path): string;
}

/** The tenants of a resource; none of a resource that is no tenant, such as a build or a sync. */
export function previewedTenants(resource: PreviewedResource): PreviewedTenant[] {
  const type = resource.type.replace(/^pulumi-nodejs:dynamic\/integration-platform:/, "");
  if (type === "Tenant") return [singleTenant(resource)];
  if (type === "TenantMetadata") return [metadataOfTenant(resource)];
  return type === "TenantFleet" ? tenantsOfFleet(resource) : [];
}

function singleTenant(resource: PreviewedResource): PreviewedTenant {
  const { stored, actual, declared, outputs, name } = resource;
  return {
    tenant: textOf((declared ?? stored)?.name) ?? name,
    tenantId: numberOf(outputs.tenantId),
    type: "Tenant",
    resource,
    ...{ stored, actual, declared },
    secretPaths: [declared, stored].flatMap(secretPathsOf),
    valuesNotCompared: countOf(outputs.unreadablePaths),
    enginePath: pathText,
  };
}

function metadataOfTenant(resource: PreviewedResource): PreviewedTenant {
  const tenantId = numberOf((resource.declared ?? resource.stored)?.tenantId);
  const metadataOf = (inputs: JsonObject | undefined) =>
    inputs?.data === undefined ? undefined : { metadata: inputs.data };
  return {
    tenant: tenantId === undefined ? resource.name : `tenant ${tenantId}`,
    tenantId,
    type: "TenantMetadata",
    resource,
    stored: metadataOf(resource.stored),
    actual: metadataOf(resource.actual),
    declared: metadataOf(resource.declared),
    secretPaths: [resource.declared, resource.stored]
      .flatMap(secretPathsOf)
      .map(([, ...path]) => ["metadata", ...path]),
    valuesNotCompared: countOf(resource.outputs.unreadablePaths),
    enginePath: ([, ...path]) => pathText(["data", ...path]),
  };
}

function tenantsOfFleet(resource: PreviewedResource): PreviewedTenant[] {
  if ([resource.declared, resource.actual].some((inputs) => isSecret(inputs?.tenants)))
    return [hiddenTenants(resource)];
  const declared = entriesOf(resource.declared);
  const stored = renamed(entriesOf(resource.stored), declared);
  const actual = renamed(entriesOf(resource.actual), declared);
  const observed = renamed(entriesOf(resource.outputs), declared);
  const ofFleet = [resource.declared, resource.stored].flatMap(secretPathsOf);
  return Object.keys({ ...stored, ...actual, ...declared }).map((key): PreviewedTenant => {
    const named = (entries: Record<string, JsonObject>): JsonObject | undefined =>
      Object.hasOwn(entries, key) ? { name: key, ...entries[key] } : undefined;
    return {
      tenant: textOf((named(declared) ?? named(stored))?.name) ?? key,
      tenantId: numberOf(named(observed)?.tenantId),
      type: "TenantFleet",
      resource,
      stored: named(stored),
      actual: named(actual),
      declared: named(declared),
      secretPaths: [
        ...[named(declared), named(stored)].flatMap(secretPathsOf),
        ...ofFleet.filter(([, tenant = key]) => tenant === key).map((path) => path.slice(2)),
      ],
      valuesNotCompared: countOf(named(observed)?.unreadablePaths),
      enginePath: (path) => pathText(["tenants", key, ...path]),
    };
  });
}

/** A fleet whose tenants are one secret: nobody can say which there are, but where they differ. */
function hiddenTenants(resource: PreviewedResource): PreviewedTenant {
  const { stored, actual, declared, name } = resource;
  const tenant = `fleet ${name}`;
  const entries = Object.values(entriesOf(resource.outputs));
  const valuesNotCompared = entries.reduce((sum, { unreadablePaths }) => sum + countOf(unreadablePaths), 0);
  const identity = { tenant, tenantId: undefined, type: "TenantFleet", resource };
  return { ...identity, stored, actual, declared, secretPaths: [[]], valuesNotCompared, enginePath: pathText };
}

function entriesOf(inputs: JsonObject | undefined): Record<string, JsonObject> {
  const tenants = inputs?.tenants;
  if (!isJsonObject(tenants)) return {};
  return Object.fromEntries(
    Object.entries(tenants).flatMap(([key, entry]) => (isJsonObject(entry) ? [[key, entry]] : [])),
  );
}

function secretPathsOf(inputs: JsonObject | undefined): Path[] {
  return secretPathsSchema.safeParse(inputs?.secretPaths).data ?? [];
}

function countOf(paths: JsonValue | undefined): number {
  return Array.isArray(paths) ? paths.length : 0;
}

function textOf(value: JsonValue | undefined): string | undefined {
  return typeof value === "string" ? value : undefined;
}

function numberOf(value: JsonValue | undefined): number | undefined {
  return typeof value === "number" ? value : undefined;
}
