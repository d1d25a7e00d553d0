import type * as pulumi from "@pulumi/pulumi";
import { z } from "zod";
import type { Integration } from "../api/index.ts";
import { nonEmptyString } from "../inputs/string-schema.ts";
import { type Defined, defined } from "../json/defined.ts";
import { isOneWay } from "../settings/release.ts";
import { type InputsOf, lookup } from "./lookup.ts";

const argsSchema = z
  .strictObject({
    id: z.int("must be the id of an integration").positive("must be the id of an integration").optional(),
    name: nonEmptyString().optional(),
  })
  .refine(isOneWay, { error: "must have exactly one of id and name" });

/** The id or the name of an integration. */
export type GetIntegrationArgs = z.infer<typeof argsSchema>;

/** An integration (specification, Integration). Fields that the platform omits are absent. */
export type GetIntegrationResult = ReturnType<typeof present>;

/** All integrations that are not archived, in the platform's order. */
export interface GetIntegrationsResult {
  integrations: GetIntegrationResult[];
}

const one = lookup("getIntegration", argsSchema, async ({ snapshot }, { id, name }) =>
  present(await snapshot.integrations.find(id ?? name ?? "")),
);
const all = lookup("getIntegrations", z.strictObject({}), async ({ snapshot }) => ({
  integrations: (await snapshot.integrations.all()).map(present),
}));

/**
 * Looks up an integration (specification, Integrations). Rejects with a `RunError` if it does not exist or if several have
 * the name.
 *
 * @example
 * const { integrationId } = await getIntegration({ name: "crm-to-billing" });
 */
export function getIntegration(args: GetIntegrationArgs): Promise<GetIntegrationResult> {
  return one.now(args);
}

/** {@link getIntegration} with arguments that may come from resources. */
export function getIntegrationOutput(args: InputsOf<GetIntegrationArgs>): pulumi.Output<GetIntegrationResult> {
  return one.later(args);
}

/** Looks up all integrations that are not archived (specification, Integrations). */
export function getIntegrations(): Promise<GetIntegrationsResult> {
  return all.now({});
}

/** {@link getIntegrations} as an output. */
export function getIntegrationsOutput(): pulumi.Output<GetIntegrationsResult> {
  return all.later({});
}

function present(integration: Integration): Defined<ReturnType<typeof fieldsOf>> {
  return defined(fieldsOf(integration));
}

function fieldsOf(integration: Integration) {
  return {
    integrationId: integration.id,
    name: integration.name,
    longName: integration.long_name,
    /** `Internal`, `External`, `Platform`, or another type that the platform adds. */
    type: integration.type,
    /** The connectors. A global connector belongs to the integration; each tenant's customer connects the others. */
    connectors: integration.connectors ?? [],
    trackingBranch: integration.repository_tracking_branch ?? undefined,
    repositoryUrl: integration.repository_url ?? undefined,
    defaultReleaseId: integration.default_release_id ?? undefined,
    /** `Latest`, `Default`, or another channel that the platform adds. */
    defaultReleaseChannel: integration.default_release_channel ?? undefined,
  };
}
