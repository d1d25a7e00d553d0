import type * as pulumi from "@pulumi/pulumi";
import type { JsonObject } from "../api/index.ts";
import { readMetadata } from "../resources/metadata-of.ts";
import { type InputsOf, lookup } from "./lookup.ts";
import { type TenantIdArgs, tenantIdArgsSchema } from "./tenant-id-args.ts";
import { tenantOfId } from "./tenants.ts";

/** The metadata of a tenant (specification, TenantMetadata). */
export interface GetTenantMetadataResult {
  tenantId: number;
  /** All of it; `{}` where the tenant has none. */
  data: JsonObject;
}

const one = lookup("getTenantMetadata", tenantIdArgsSchema, async (platform, { tenantId }) => {
  await tenantOfId(platform, tenantId);
  return { tenantId, data: (await readMetadata(platform, platform.snapshot.tenantsOf(), tenantId)) ?? {} };
});

/** Looks up the metadata of a live tenant. */
export function getTenantMetadata(args: TenantIdArgs): Promise<GetTenantMetadataResult> {
  return one.now(args);
}

/** {@link getTenantMetadata} with arguments that may come from resources. */
export function getTenantMetadataOutput(args: InputsOf<TenantIdArgs>): pulumi.Output<GetTenantMetadataResult> {
  return one.later(args);
}
