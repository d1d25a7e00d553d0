import type * as pulumi from "@pulumi/pulumi";
import { releaseToRun } from "../resources/tenant/release.ts";
import { UnknownNameError } from "../snapshot/index.ts";
import { type InputsOf, lookup } from "./lookup.ts";
import { type GetReleaseResult, presentRelease } from "./releases.ts";
import { type TenantIdArgs, tenantIdArgsSchema } from "./tenant-id-args.ts";
import { tenantOfId } from "./tenants.ts";

const one = lookup("getTenantRelease", tenantIdArgsSchema, async (platform, { tenantId }) => {
  const { tenant, integration } = await tenantOfId(platform, tenantId);
  const { id, record, releases } = integration;
  // the specification does not show the answer: where it is no release, the tenant itself says which it runs
  const answered = await platform.client.tenants.getRelease(tenantId);
  const release = answered ?? (await releaseToRun(releases, record, undefined, tenant));
  if (release !== undefined) return presentRelease(id, release);
  throw new UnknownNameError(`tenant "${tenant.name}" (id ${tenantId}) has no release`);
});

/** Looks up the release that a tenant runs (specification, Tenants: release). */
export function getTenantRelease(args: TenantIdArgs): Promise<GetReleaseResult> {
  return one.now(args);
}

/** {@link getTenantRelease} with arguments that may come from resources. */
export function getTenantReleaseOutput(args: InputsOf<TenantIdArgs>): pulumi.Output<GetReleaseResult> {
  return one.later(args);
}
