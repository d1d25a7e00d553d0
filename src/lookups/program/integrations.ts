import type * as pulumi from "@pulumi/pulumi";
import {
  type GetIntegrationArgs,
  type GetIntegrationResult,
  type GetIntegrationsResult,
  integrationLookup,
  integrationsLookup,
} from "../integrations.ts";
import { type InputsOf, programLookup } from "./program-lookup.ts";

const one = programLookup(integrationLookup);
const all = programLookup(integrationsLookup);

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
