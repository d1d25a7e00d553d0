import type * as pulumi from "@pulumi/pulumi";
import { z } from "zod";
import type { Integration } from "../api/index.ts";
import { type Defined, defined } from "../resources/defined.ts";
import { isOneWay } from "../resources/tenant/schema.ts";
import { filledText } from "../text-schema.ts";
import { type InputsOf, lookup } from "./lookup.ts";

const argsSchema = z
  .strictObject({
    id: z.int("must be the id of an integration").positive("must be the id of an integration").optional(),
    name: filledText().optional(),
  })
  .refine(isOneWay, { error: "give the integration one way only: { id } or { name }" });

/** Which integration: by id or by name. */
export type GetIntegrationArgs = z.infer<typeof argsSchema>;

/** An integration (specification, Integration). What the platform does not say is absent. */
export type GetIntegrationResult = ReturnType<typeof present>;

/** All integrations but the archived, in the platform's order. */
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
 * Looks up an integration.
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

/** Looks up all integrations. */
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
    /** `Internal`, `External`, `Platform`, or a newer word. */
    type: integration.type,
    /** A global connector is the integration's own; the others are connected by each tenant's customer. */
    connectors: integration.connectors ?? [],
    trackingBranch: integration.repository_tracking_branch ?? undefined,
    repositoryUrl: integration.repository_url ?? undefined,
    defaultReleaseId: integration.default_release_id ?? undefined,
    /** `Latest`, `Default`, or a newer word. */
    defaultReleaseChannel: integration.default_release_channel ?? undefined,
  };
}
