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
    const { id, record, releases, tenants } = integration;
    const answered = await context.client.tenants.getRelease(tenantId);
    if (answered !== undefined) return presentRelease(id, answered);
    // the specification does not show the response; if it is no release, the tenant's own fields name its release
    const now = (await tenants.fetchFresh(tenantId)) ?? tenant;
    const { integration_release_id: releaseId, integration_release_channel: channel } = now;
    const listed = await releaseToRun(releases, record, undefined, now);
    const release =
      listed ?? (typeof releaseId === "number" && !channel ? await releases.unlisted(releaseId) : undefined);
    if (release !== undefined) return presentRelease(id, release);
    const who = `tenant "${tenant.name}" (id ${tenantId})`;
    const hasNone = releaseId === null && !channel;
    throw new UnknownNameError(
      hasNone ? `${who} has no release` : `the platform does not report the release of ${who}`,
    );
  },
);
