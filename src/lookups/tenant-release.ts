import type * as pulumi from "@pulumi/pulumi";
import { releaseToRun } from "../settings/release.ts";
import { UnknownNameError } from "../snapshot/index.ts";
import { type InputsOf, lookup } from "./lookup.ts";
import { type GetReleaseResult, presentRelease } from "./releases.ts";
import { type TenantIdArgs, tenantIdArgsSchema } from "./tenant-id-args.ts";
import { tenantOfId } from "./tenants.ts";

const one = lookup("getTenantRelease", tenantIdArgsSchema, async (context, { tenantId }) => {
  const { tenant, integration } = await tenantOfId(context, tenantId);
  const { id, record, releases } = integration;
  // the specification does not show the response; if it is no release, use the release in the tenant's own fields
  const answered = await context.client.tenants.getRelease(tenantId);
  const release = answered ?? (await releaseToRun(releases, record, undefined, tenant));
  if (release !== undefined) return presentRelease(id, release);
  throw new UnknownNameError(`tenant "${tenant.name}" (id ${tenantId}) has no release`);
});

/** Looks up the release that a tenant runs (specification, Tenants: release). It is an error if there is none. */
export function getTenantRelease(args: TenantIdArgs): Promise<GetReleaseResult> {
  return one.now(args);
}

/** {@link getTenantRelease} with arguments that may come from resources. */
export function getTenantReleaseOutput(args: InputsOf<TenantIdArgs>): pulumi.Output<GetReleaseResult> {
  return one.later(args);
}
