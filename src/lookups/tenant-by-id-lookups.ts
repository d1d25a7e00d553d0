import { z } from "zod";
import type { JsonObject } from "../json/json-value.ts";
import { readMetadata } from "../operation/read-metadata.ts";
import { releaseToRun } from "../settings/release.ts";
import { UnknownNameError } from "../snapshot/index.ts";
import { lookupFunction } from "./lookup-function.ts";
import { presentRelease } from "./releases.ts";
import { secretKeys } from "./secret-keys.ts";
import { tenantOfId } from "./tenants.ts";

const tenantIdArgsSchema = z.strictObject({
  /** Id of the tenant. */
  tenantId: z.int("must be the id of a tenant").positive("must be the id of a tenant"),
});

/** The id of a tenant. */
export type TenantIdArgs = z.infer<typeof tenantIdArgsSchema>;

/** The metadata of a tenant (specification, TenantMetadata). */
export interface GetTenantMetadataResult {
  /** Id of the tenant. */
  tenantId: number;
  /** The whole metadata; `{}` if the tenant has none. */
  data: JsonObject;
}

/** The lookup `getTenantMetadata`. */
export const tenantMetadataLookup = lookupFunction(
  "getTenantMetadata",
  tenantIdArgsSchema,
  async (context, { tenantId }): Promise<GetTenantMetadataResult> => {
    await tenantOfId(context, tenantId);
    return { tenantId, data: (await readMetadata(context, context.snapshot.tenantsOf(), tenantId)) ?? {} };
  },
  async (context, { tenantId, data }) => {
    const { integration } = await tenantOfId(context, tenantId);
    const tenant = { tenantId, integrationId: integration.id };
    const keys = await secretKeys(context, tenant, "metadata", { metadata: data });
    return keys.map((key) => ["data", key]);
  },
);

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
