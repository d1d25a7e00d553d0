import type * as pulumi from "@pulumi/pulumi";
import type { GetReleaseResult } from "../releases.ts";
import type { TenantIdArgs } from "../tenant-id-args.ts";
import { tenantReleaseLookup } from "../tenant-release.ts";
import { type InputsOf, programLookup } from "./program-lookup.ts";

const one = programLookup(tenantReleaseLookup);

/** Looks up the release that a tenant runs (specification, Tenants: release). It is an error if there is none. */
export function getTenantRelease(args: TenantIdArgs): Promise<GetReleaseResult> {
  return one.now(args);
}

/** {@link getTenantRelease} with arguments that may come from resources. */
export function getTenantReleaseOutput(args: InputsOf<TenantIdArgs>): pulumi.Output<GetReleaseResult> {
  return one.later(args);
}
