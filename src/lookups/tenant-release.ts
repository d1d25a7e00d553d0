import { releaseToRun } from "../settings/release.ts";
import { UnknownNameError } from "../snapshot/index.ts";
import { lookupFunction } from "./lookup-function.ts";
import { presentRelease } from "./releases.ts";
import { tenantIdArgsSchema } from "./tenant-id-args.ts";
import { tenantOfId } from "./tenants.ts";

/** The lookup `getTenantRelease`. */
export const tenantReleaseLookup = lookupFunction(
  "getTenantRelease",
  tenantIdArgsSchema,
  async (context, { tenantId }) => {
    const { tenant, integration } = await tenantOfId(context, tenantId);
    const { id, record, releases } = integration;
    // the specification does not show the response; if it is no release, use the release in the tenant's own fields
    const answered = await context.client.tenants.getRelease(tenantId);
    const release = answered ?? (await releaseToRun(releases, record, undefined, tenant));
    if (release !== undefined) return presentRelease(id, release);
    throw new UnknownNameError(`tenant "${tenant.name}" (id ${tenantId}) has no release`);
  },
);
