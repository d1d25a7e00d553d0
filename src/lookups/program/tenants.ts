import type * as pulumi from "@pulumi/pulumi";
import {
  type GetTenantArgs,
  type GetTenantResult,
  type GetTenantsArgs,
  type GetTenantsResult,
  tenantLookup,
  tenantsLookup,
} from "../tenants.ts";
import { type InputsOf, programLookup } from "./program-lookup.ts";

const one = programLookup(tenantLookup);
const all = programLookup(tenantsLookup);

/**
 * Looks up a live tenant by its id, or by its integration and name (specification, Tenants). It is an error if it does not
 * exist or if several have the name.
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

/** Looks up all live tenants of an integration (specification, Tenants). */
export function getTenants(args: GetTenantsArgs): Promise<GetTenantsResult> {
  return all.now(args);
}

/** {@link getTenants} with arguments that may come from resources. */
export function getTenantsOutput(args: InputsOf<GetTenantsArgs>): pulumi.Output<GetTenantsResult> {
  return all.later(args);
}
