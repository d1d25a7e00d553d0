import type * as pulumi from "@pulumi/pulumi";
import type { JsonObject } from "../json/json-value.ts";
import { readMetadata } from "../operation/read-metadata.ts";
import { type InputsOf, lookup } from "./lookup.ts";
import { type TenantIdArgs, tenantIdArgsSchema } from "./tenant-id-args.ts";
import { tenantOfId } from "./tenants.ts";

/** The metadata of a tenant (specification, TenantMetadata). */
export interface GetTenantMetadataResult {
  /** Id of the tenant. */
  tenantId: number;
  /** The whole metadata; `{}` if the tenant has none. */
  data: JsonObject;
}

const one = lookup("getTenantMetadata", tenantIdArgsSchema, async (context, { tenantId }) => {
  await tenantOfId(context, tenantId);
  return { tenantId, data: (await readMetadata(context, context.snapshot.tenantsOf(), tenantId)) ?? {} };
});

/** Looks up the metadata of a live tenant (specification, TenantMetadata). It is an error if the tenant does not exist. */
export function getTenantMetadata(args: TenantIdArgs): Promise<GetTenantMetadataResult> {
  return one.now(args);
}

/** {@link getTenantMetadata} with arguments that may come from resources. */
export function getTenantMetadataOutput(args: InputsOf<TenantIdArgs>): pulumi.Output<GetTenantMetadataResult> {
  return one.later(args);
}
