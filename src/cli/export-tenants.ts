import type { JsonObject, Tenant } from "../api/index.ts";
import { defined } from "../resources/defined.ts";
import { type IntegrationScope, integrationScope } from "../resources/integration-scope.ts";
import { readMetadata } from "../resources/metadata-of.ts";
import type { Platform } from "../resources/platform.ts";
import { schemasOf } from "../resources/tenant/desired.ts";
import { noSchedule } from "../resources/tenant/schedule.ts";
import type { TenantEntry } from "../stack/schema.ts";
import { type LeftOut, portable } from "./portable.ts";
import { uniqueKeys } from "./unique-keys.ts";

/** A tenant that exists, as a stack declares it to take it over. */
export interface ExportedTenant {
  /** Name of the resource: the tenant's, with its id where others bear the same name, or one that would be the same. */
  key: string;
  entry: TenantEntry;
  leftOut: LeftOut[];
}

/** The live tenants of an integration, by name or id, or of `"all"`, in the order of their ids. */
export async function exportTenants(platform: Platform, integration: string): Promise<ExportedTenant[]> {
  const live = await liveTenants(platform, integration);
  const keyOf = uniqueKeys(live.flatMap(({ tenants }) => tenants));
  const exported = live.flatMap(({ scope, tenants }) =>
    tenants.map(async (tenant) => {
      const { entry, ...rest } = await exportTenant(platform, scope, tenant, keyOf(tenant));
      return { ...rest, entry: { integration: await designationOf(platform, scope), ...entry } };
    }),
  );
  return (await Promise.all(exported)).sort((left, right) => Number(left.entry.adopt) - Number(right.entry.adopt));
}

/** The live tenants of an integration, or of each of `"all"`, in the order of their ids. */
export async function liveTenants(
  platform: Platform,
  integration: string,
): Promise<{ scope: IntegrationScope; tenants: Tenant[] }[]> {
  const scopes = await scopesOf(platform, integration);
  return Promise.all(scopes.map(async (scope) => ({ scope, tenants: await tenantsOf(scope) })));
}

async function tenantsOf({ tenants }: IntegrationScope): Promise<Tenant[]> {
  return [...(await tenants.all()).values()].sort((left, right) => left.id - right.id);
}

async function scopesOf(platform: Platform, integration: string): Promise<IntegrationScope[]> {
  if (integration !== "all") return [await integrationScope(platform, nameOrId(integration))];
  return Promise.all((await platform.snapshot.integrations.all()).map(({ id }) => integrationScope(platform, id)));
}

/** On a command line, a whole number is an id. */
export function nameOrId(text: string): string | number {
  return /^\d+$/.test(text) ? Number(text) : text;
}

/** A tenant but for its integration. */
export async function exportTenant(
  platform: Platform,
  integration: IntegrationScope,
  tenant: Tenant,
  key: string,
): Promise<ExportedTenant> {
  const { id, name, paused, user_schedule: schedule } = tenant;
  const schemas = await schemasOf(platform, integration, undefined, tenant);
  const configs = portable("configs", tenant.configs, schemas.configs);
  const live = (await readMetadata(platform, integration.tenants, id)) ?? {};
  const metadata = portable("metadata", live, schemas.metadata);
  const release = releaseOf(tenant);
  const isGone =
    typeof release?.id === "number" && !(await integration.releases.all()).some((r) => r.id === release.id);
  return {
    key,
    entry: defined({
      name: name === key ? undefined : name,
      adopt: id,
      release: isGone ? undefined : release,
      schedule: schedule === "" || schedule === undefined ? undefined : (schedule ?? noSchedule),
      paused,
      configs: unlessEmpty(configs.kept),
      metadata: unlessEmpty(metadata.kept),
    }),
    leftOut: [
      ...(isGone ? ([{ path: "release", reason: "is no longer among the integration's releases" }] as const) : []),
      ...(schedule === "" ? ([{ path: "schedule", reason: "cannot be declared" }] as const) : []),
      ...configs.leftOut,
      ...metadata.leftOut,
    ],
  };
}

/** The integration's name; its id where others bear the same name. */
export async function designationOf(
  { snapshot }: Platform,
  { id, record }: IntegrationScope,
): Promise<string | number> {
  const bearers = (await snapshot.integrations.all()).filter(({ name }) => name === record.name);
  return bearers.length === 1 && bearers[0]?.id === id ? record.name : id;
}

function unlessEmpty(keys: JsonObject): JsonObject | undefined {
  return Object.keys(keys).length === 0 ? undefined : keys;
}

function releaseOf({
  integration_release_id: id,
  integration_release_channel: channel,
}: Tenant): TenantEntry["release"] {
  if (channel === "Latest" || channel === "Default") return { channel };
  return typeof id === "number" ? { id } : undefined;
}
