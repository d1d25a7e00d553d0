import type * as pulumi from "@pulumi/pulumi";
import type { TenantIdArgs } from "../tenant-id-args.ts";
import { type GetTenantMetadataResult, tenantMetadataLookup } from "../tenant-metadata.ts";
import { type InputsOf, programLookup } from "./program-lookup.ts";

const one = programLookup(tenantMetadataLookup);

/** Looks up the metadata of a live tenant (specification, TenantMetadata). It is an error if the tenant does not exist. */
export function getTenantMetadata(args: TenantIdArgs): Promise<GetTenantMetadataResult> {
  return one.now(args);
}

/** {@link getTenantMetadata} with arguments that may come from resources. */
export function getTenantMetadataOutput(args: InputsOf<TenantIdArgs>): pulumi.Output<GetTenantMetadataResult> {
  return one.later(args);
}
