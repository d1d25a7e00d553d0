import { z } from "zod";
import type { Tenant } from "../api/index.ts";
import { didYouMean } from "../inputs/did-you-mean.ts";
import { type Defined, defined } from "../json/defined.ts";
import { shortList } from "../json/short-list.ts";
import { noSchema } from "../json-schema/index.ts";
import { type IntegrationScope, integrationScope } from "../operation/integration-scope.ts";
import type { OperationContext } from "../operation/operation-context.ts";
import { type PlacedTenant, tenantById } from "../operation/tenant-by-id.ts";
import { connectionOf } from "../operation/tenant-connection.ts";
import { tenantInputsSchema } from "../resources/tenant/schema.ts";
import type { SettingName } from "../settings/table.ts";
import { UnknownNameError } from "../snapshot/index.ts";
import { lookupFunction } from "./lookup-function.ts";
import { secretKeys, secretLooking } from "./secret-keys.ts";

const { integration, name } = tenantInputsSchema.shape;
const argsSchema = z
  .strictObject({
    /** Id of the tenant. */
    id: z.int("must be the id of a tenant").positive("must be the id of a tenant").optional(),
    /** Name or id of the integration. */
    integration: integration.optional(),
    /** Name of the tenant. */
    name: name.optional(),
  })
  .refine((args) => (args.id === undefined ? args.integration && args.name : !args.integration && !args.name), {
    error: "must have either id, or integration and name",
  });
const allArgsSchema = z.strictObject({
  /** Name or id of the integration. */
  integration,
});

/** The id of a tenant, or its name and the name or id of its integration. */
export type GetTenantArgs = z.infer<typeof argsSchema>;

/** The name or id of an integration. */
export type GetTenantsArgs = z.infer<typeof allArgsSchema>;

/** A live tenant (specification, Tenant). It has all configs, and so their secrets, in plain text. */
export type GetTenantResult = ReturnType<typeof present>;

/** The live tenants of an integration, by ascending id. */
export interface GetTenantsResult {
  /** The tenants. */
  tenants: GetTenantResult[];
}

/** The lookup `getTenant`. */
export const tenantLookup = lookupFunction(
  "getTenant",
  argsSchema,
  async (context, args) => {
    const { tenant, integration } =
      args.id === undefined ? await tenantNamed(context, args) : await tenantOfId(context, args.id);
    return present(tenant, integration);
  },
  secretPaths,
);

/** The lookup `getTenants`. */
export const tenantsLookup = lookupFunction(
  "getTenants",
  allArgsSchema,
  async (context, { integration: nameOrId }): Promise<GetTenantsResult> => {
    const scope = await integrationScope(context, nameOrId);
    const live = [...(await scope.tenants.all()).values()].sort((left, right) => left.id - right.id);
    return { tenants: live.map((tenant) => present(tenant, scope)) };
  },
  async (context, { tenants }) => {
    const paths = await Promise.all(tenants.map((tenant) => secretPaths(context, tenant)));
    return paths.flatMap((ofOne, index) => ofOne.map((path) => ["tenants", String(index), ...path]));
  },
);

async function secretPaths(context: OperationContext, tenant: GetTenantResult): Promise<string[][]> {
  const ofConfigs = await secretKeys(context, tenant, "configs", tenant);
  const ofRuns = (["lastRun", "currentRun", "lastSuccessfulRun"] as const).flatMap((name) =>
    secretLooking(tenant[name], noSchema).map((key) => [name, key]),
  );
  return [...ofConfigs.map((key) => ["configs", key]), ...ofRuns];
}

/** Finds a live tenant by id. Throws {@link UnknownNameError} if it does not exist. */
export async function tenantOfId(context: OperationContext, id: number): Promise<PlacedTenant> {
  const found = await tenantById(context, id);
  if (found !== undefined) return found;
  const everyone = await context.snapshot.tenantsOf().all();
  const known = [...everyone.values()].map((other) => `${other.id} (${other.name})`);
  throw new UnknownNameError(`there is no live tenant with id ${id}${didYouMean(String(id), known)}`);
}

async function tenantNamed(context: OperationContext, args: GetTenantArgs): Promise<PlacedTenant> {
  const integration = await integrationScope(context, args.integration ?? "");
  const { record, tenants } = integration;
  const wanted = args.name ?? "";
  const listed = await tenants.named(wanted);
  const [tenant, ...others] = listed.length > 0 ? listed : await tenants.fetchFreshNamed(wanted); // it may have been created since
  const where = `integration "${record.name}"`;
  if (tenant === undefined) {
    const names = [...(await tenants.all()).values()].map((other) => other.name);
    throw new UnknownNameError(`${where} has no live tenant named "${wanted}"${didYouMean(wanted, names)}`);
  }
  if (others.length === 0) return { tenant, integration };
  const ids = shortList([tenant, ...others].map(({ id }) => String(id)));
  throw new UnknownNameError(
    `${others.length + 1} live tenants of ${where} are named "${wanted}" (ids ${ids}); use the id instead`,
  );
}

function present(tenant: Tenant, scope: IntegrationScope): Defined<ReturnType<typeof fieldsOf>> {
  return defined(fieldsOf(tenant, scope));
}

/** The fields of the result for each setting. */
const settingFields = {
  name: ({ name }: Tenant) => ({
    /** Name of the tenant. */
    name,
  }),
  schedule: (tenant: Tenant) => ({
    /** The tenant's own schedule; absent if it has none. */
    schedule: tenant.user_schedule ?? undefined,
    /** The effective schedule, the tenant's own or the integration's; absent if the platform omits it. */
    effectiveSchedule: tenant.schedule ?? undefined,
  }),
  release: (tenant: Tenant) => ({
    /** The id of the release that it is pinned to or that its channel selects. */
    releaseId: tenant.integration_release_id ?? undefined,
    /** The channel that selects its release; absent if it is pinned to a release. */
    releaseChannel: tenant.integration_release_channel ?? undefined,
  }),
  paused: ({ paused }: Tenant) => ({
    /** Whether the tenant is paused. */
    paused,
  }),
  configs: ({ configs }: Tenant) => ({
    /** All configs of the tenant, with their secrets in plain text. */
    configs,
  }),
  /** Metadata needs a separate request: see {@link getTenantMetadata}. */
  metadata: () => ({}),
} satisfies Record<SettingName, (tenant: Tenant) => object>;

type AllOf<Union> = (Union extends unknown ? (one: Union) => void : never) extends (all: infer All) => void
  ? All
  : never;
type ShownSettings = AllOf<ReturnType<(typeof settingFields)[SettingName]>>;

function shownSettings(tenant: Tenant): ShownSettings;
function shownSettings(tenant: Tenant): object {
  return Object.assign({}, ...Object.values(settingFields).map((fields) => fields(tenant)));
}

function fieldsOf(tenant: Tenant, scope: IntegrationScope) {
  return {
    /** Id of the tenant. */
    tenantId: tenant.id,
    /** Id of the tenant's integration. */
    integrationId: scope.id,
    ...shownSettings(tenant),
    /** The origin of the tenant: `api`, `marketplace` or another source that the platform adds. */
    source: tenant.source,
    /** Whether a customer has connected it. True unless the platform reports that it is not connected. */
    isConnected: connectionOf(tenant, scope).isConnected,
    /** The platform's record of the last run, whose fields are not documented; `{}` if there is none. */
    lastRun: tenant.status?.last_run ?? {},
    /** The record of the run that is under way; `{}` if there is none. */
    currentRun: tenant.status?.current_run ?? {},
    /** The record of the last run that succeeded; `{}` if there is none. */
    lastSuccessfulRun: tenant.status?.last_successful_run ?? {},
  };
}
