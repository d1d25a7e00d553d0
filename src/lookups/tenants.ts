import type * as pulumi from "@pulumi/pulumi";
import { z } from "zod";
import type { Tenant } from "../api/index.ts";
import { nearest } from "../nearest.ts";
import { type Defined, defined } from "../resources/defined.ts";
import { type IntegrationScope, integrationScope } from "../resources/integration-scope.ts";
import type { Platform } from "../resources/platform.ts";
import { connectionOf } from "../resources/tenant/connection.ts";
import { tenantInputsSchema } from "../resources/tenant/schema.ts";
import { type PlacedTenant, tenantById } from "../resources/tenant-by-id.ts";
import { UnknownNameError } from "../snapshot/index.ts";
import { type InputsOf, lookup } from "./lookup.ts";

const { integration, name } = tenantInputsSchema.shape;
const argsSchema = z
  .strictObject({
    id: z.int("must be the id of a tenant").positive("must be the id of a tenant").optional(),
    integration: integration.optional(),
    name: name.optional(),
  })
  .refine((args) => (args.id === undefined ? args.integration && args.name : !args.integration && !args.name), {
    error: "give the tenant one way only: { id } or { integration, name }",
  });
const allArgsSchema = z.strictObject({ integration });

/** Which tenant: by its id, or by its name and the name or id of its integration. */
export type GetTenantArgs = z.infer<typeof argsSchema>;

/** Whose tenants: an integration by name or id. */
export type GetTenantsArgs = z.infer<typeof allArgsSchema>;

/** A live tenant (specification, Tenant) as the platform has it: all of its configs, and so their secrets, in clear. */
export type GetTenantResult = ReturnType<typeof present>;

/** The live tenants of an integration, by ascending id. */
export interface GetTenantsResult {
  tenants: GetTenantResult[];
}

const one = lookup("getTenant", argsSchema, async (platform, args) => {
  const { tenant, integration } =
    args.id === undefined ? await tenantNamed(platform, args) : await tenantOfId(platform, args.id);
  return present(tenant, integration);
});
const all = lookup("getTenants", allArgsSchema, async (platform, { integration: nameOrId }) => {
  const scope = await integrationScope(platform, nameOrId);
  const live = [...(await scope.tenants.all()).values()].sort((left, right) => left.id - right.id);
  return { tenants: live.map((tenant) => present(tenant, scope)) };
});

/**
 * Looks up a live tenant.
 *
 * @example
 * const { tenantId } = await getTenant({ integration: "crm-to-billing", name: "acme" });
 */
export function getTenant(args: GetTenantArgs): Promise<GetTenantResult> {
  return one.now(args);
}

/** {@link getTenant} with arguments that may come from resources. */
export function getTenantOutput(args: InputsOf<GetTenantArgs>): pulumi.Output<GetTenantResult> {
  return one.later(args);
}

/** Looks up all live tenants of an integration. */
export function getTenants(args: GetTenantsArgs): Promise<GetTenantsResult> {
  return all.now(args);
}

/** {@link getTenants} with arguments that may come from resources. */
export function getTenantsOutput(args: InputsOf<GetTenantsArgs>): pulumi.Output<GetTenantsResult> {
  return all.later(args);
}

/** Throws {@link UnknownNameError} where there is no such live tenant. */
export async function tenantOfId(platform: Platform, id: number): Promise<PlacedTenant> {
  const found = await tenantById(platform, id);
  if (found !== undefined) return found;
  const everyone = await platform.snapshot.tenantsOf().all();
  const known = [...everyone.values()].map((other) => `${other.id} (${other.name})`);
  throw new UnknownNameError(`there is no live tenant with id ${id}${nearest(String(id), known)}`);
}

async function tenantNamed(platform: Platform, args: GetTenantArgs): Promise<PlacedTenant> {
  const integration = await integrationScope(platform, args.integration ?? "");
  const { record, tenants } = integration;
  const wanted = args.name ?? "";
  const listed = await tenants.named(wanted);
  const [tenant, ...others] = listed.length > 0 ? listed : await tenants.observeNamed(wanted); // it may be new
  const where = `integration "${record.name}"`;
  if (tenant === undefined) {
    const names = [...(await tenants.all()).values()].map((other) => other.name);
    throw new UnknownNameError(`${where} has no live tenant named "${wanted}"${nearest(wanted, names)}`);
  }
  if (others.length === 0) return { tenant, integration };
  const ids = [tenant, ...others].map(({ id }) => id).join(", ");
  throw new UnknownNameError(
    `${others.length + 1} live tenants of ${where} are named "${wanted}" (ids ${ids}); give the id`,
  );
}

function present(tenant: Tenant, scope: IntegrationScope): Defined<ReturnType<typeof fieldsOf>> {
  return defined(fieldsOf(tenant, scope));
}

function fieldsOf(tenant: Tenant, scope: IntegrationScope) {
  return {
    tenantId: tenant.id,
    integrationId: scope.id,
    name: tenant.name,
    paused: tenant.paused,
    /** The tenant's own schedule; absent where it has none. */
    schedule: tenant.user_schedule ?? undefined,
    /** The schedule that counts, be it the tenant's own or the integration's; absent where the platform does not say. */
    effectiveSchedule: tenant.schedule ?? undefined,
    /** The release it is pinned to, or that its channel stands for. */
    releaseId: tenant.integration_release_id ?? undefined,
    releaseChannel: tenant.integration_release_channel ?? undefined,
    configs: tenant.configs,
    /** `api`, `marketplace` or another word. */
    source: tenant.source,
    /** Whether its customer has connected it, as far as the platform tells: where it does not, it counts as connected. */
    isConnected: connectionOf(tenant, scope).isConnected,
    /** The platform's records of runs, whose fields it does not document; `{}` where there is none. */
    lastRun: tenant.status?.last_run ?? {},
    currentRun: tenant.status?.current_run ?? {},
    lastSuccessfulRun: tenant.status?.last_successful_run ?? {},
  };
}
