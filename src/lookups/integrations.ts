import type * as pulumi from "@pulumi/pulumi";
import { z } from "zod";
import type { Integration } from "../api/index.ts";
import { nonEmptyString } from "../inputs/string-schema.ts";
import { type Defined, defined } from "../json/defined.ts";
import { isOneWay } from "../settings/release.ts";
import { type InputsOf, lookup } from "./lookup.ts";

const argsSchema = z
  .strictObject({
    /** Id of the integration. */
    id: z.int("must be the id of an integration").positive("must be the id of an integration").optional(),
    /** Name of the integration. */
    name: nonEmptyString().optional(),
  })
  .refine(isOneWay, { error: "must have exactly one of id and name" });

/** The id or the name of an integration. */
export type GetIntegrationArgs = z.infer<typeof argsSchema>;

/** An integration (specification, Integration). Fields that the platform omits are absent. */
export type GetIntegrationResult = ReturnType<typeof present>;

/** A connector of an integration. */
export interface ConnectorResult {
  /** Name of the connector. */
  name: string;
  /** Whether the connector belongs to the integration. Each tenant's customer connects the others. */
  isGlobal: boolean;
}

/** All integrations that are not archived, in the platform's order. */
export interface GetIntegrationsResult {
  /** The integrations. */
  integrations: GetIntegrationResult[];
}

const one = lookup("getIntegration", argsSchema, async ({ snapshot }, { id, name }) =>
  present(await snapshot.integrations.find(id ?? name ?? "")),
);
const all = lookup("getIntegrations", z.strictObject({}), async ({ snapshot }) => ({
  integrations: (await snapshot.integrations.all()).map(present),
}));

/**
 * Looks up an integration by its id or its name (specification, Integrations). It is an error if it does not exist or if
 * several have the name.
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
    /** Id of the integration. */
    integrationId: integration.id,
    /** Name of the integration. */
    name: integration.name,
    /** Name of the integration for people. */
    longName: integration.long_name,
    /** `Internal`, `External`, `Platform`, or another type that the platform adds. */
    type: integration.type,
    /** The connectors. A global connector belongs to the integration; each tenant's customer connects the others. */
    connectors: connectorsOf(integration),
    /** Branch of the repository from which releases are built by default. */
    trackingBranch: integration.repository_tracking_branch ?? undefined,
    /** Address of the repository with the integration's code. */
    repositoryUrl: integration.repository_url ?? undefined,
    /** Id of the release that new tenants run by default. */
    defaultReleaseId: integration.default_release_id ?? undefined,
    /** `Latest`, `Default`, or another channel that the platform adds. */
    defaultReleaseChannel: integration.default_release_channel ?? undefined,
  };
}

function connectorsOf({ connectors }: Integration): ConnectorResult[] {
  return connectors ?? [];
}
