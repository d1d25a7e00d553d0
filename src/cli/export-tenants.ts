import type { Tenant } from "../api/index.ts";
import { type IntegrationScope, integrationScope } from "../resources/integration-scope.ts";
import { readMetadata } from "../resources/metadata-of.ts";
import type { Platform } from "../resources/platform.ts";
import { schemasOf } from "../resources/tenant/desired.ts";
import { noSchedule } from "../resources/tenant/schedule.ts";
import type { TenantEntry } from "../stack/schema.ts";
import { type LeftOut, portable } from "./portable.ts";

/** A tenant that exists, as a stack declares it to take it over. */
export interface ExportedTenant {
  /** Name of the resource: the tenant's, with its id where others bear the same name. */
  key: string;
  entry: TenantEntry;
  leftOut: LeftOut[];
}

/** The live tenants of an integration, by name or id, or of `"all"`, in the order of their ids. */
export async function exportTenants(platform: Platform, integration: string): Promise<ExportedTenant[]> {
  const scopes = await scopesOf(platform, integration);
  const tenants = await Promise.all(scopes.map(async (scope) => [...(await scope.tenants.all()).values()]));
  const bearers = Map.groupBy(tenants.flat(), ({ name }) => name);
  const exported = scopes.flatMap((scope, index) =>
    (tenants[index] ?? []).map(async (tenant) => {
      const isAlone = bearers.get(tenant.name)?.length === 1;
      return exportTenant(platform, scope, tenant, isAlone ? tenant.name : `${tenant.name}-${tenant.id}`);
    }),
  );
  return (await Promise.all(exported)).sort((left, right) => Number(left.entry.adopt) - Number(right.entry.adopt));
}

async function scopesOf(platform: Platform, integration: string): Promise<IntegrationScope[]> {
  if (integration !== "all") return [await integrationScope(platform, nameOrId(integration))];
  return Promise.all((await platform.snapshot.integrations.all()).map(({ id }) => integrationScope(platform, id)));
}

/** On a command line, a whole number is an id. */
export function nameOrId(text: string): string | number {
  return /^\d+$/.test(text) ? Number(text) : text;
}

async function exportTenant(
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
  return {
    key,
    entry: {
      integration: integration.record.name,
      ...(name === key ? {} : { name }),
      adopt: id,
      ...(release === undefined ? {} : { release }),
      ...(schedule === undefined ? {} : { schedule: schedule ?? noSchedule }),
      paused,
      ...(Object.keys(configs.kept).length === 0 ? {} : { configs: configs.kept }),
      ...(Object.keys(metadata.kept).length === 0 ? {} : { metadata: metadata.kept }),
    },
    leftOut: [...configs.leftOut, ...metadata.leftOut],
  };
}

function releaseOf({
  integration_release_id: id,
  integration_release_channel: channel,
}: Tenant): TenantEntry["release"] {
  if (channel === "Latest" || channel === "Default") return { channel };
  return typeof id === "number" ? { id } : undefined;
}
