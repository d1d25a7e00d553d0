import * as pulumi from "@pulumi/pulumi";
import { ApiError, ConfigurationError, createClient } from "../../api/index.ts";
import { connectionSettings } from "../../connection/connection-settings.ts";
import { requiredFacts } from "../../connection/platform-facts.ts";
import { createOperationContext } from "../../operation/operation-context.ts";
import type { Override } from "../../settings/override.ts";
import { withSource } from "../checks/address-problems.ts";
import { type Preflight, preflightProblems } from "../checks/preflight.ts";
import { bySeverity } from "../config/problems.ts";
import { type OverrideScope, overrideFor, relationById } from "../declarations/override-for.ts";
import type { Stack } from "./stack.ts";
import { throwIfAny } from "./throw-if-any.ts";

/** What the program takes from the preflight. */
export interface CheckedStack extends Pick<Preflight, "integrationIds"> {
  /** The override of a tenant, or of a whole fleet. */
  overrideFor(scope: OverrideScope): Override | undefined;
}

/**
 * Asks the platform, before any resource is registered, whether what the stack declares can be applied. All problems are
 * shown at once, with file, line and column. The checks of the resources look at the tenants.
 */
export async function preflight(stack: Stack): Promise<CheckedStack> {
  const tenants = [...stack.tenants, ...stack.fleets.flatMap((fleet) => fleet.tenants)];
  const rollouts = stack.fleets.map(({ declaration }) => declaration).filter(({ entry }) => entry.rollout);
  if (tenants.length + rollouts.length === 0 && Object.keys(stack.builds).length === 0) {
    return { integrationIds: new Map(), overrideFor: () => undefined };
  }
  try {
    const client = createClient(connectionSettings(stack.configText));
    const facts = requiredFacts(stack.configText, {
      environment: process.env,
      directory: stack.directory,
      baseUrl: client.baseUrl,
    });
    const context = createOperationContext({ client, warn: (message) => pulumi.log.warn(message), ...facts });
    const { problems, integrationIds, idsByIntegration } = await preflightProblems(context, {
      ...stack,
      tenants,
      rollouts,
    });
    await client.close();
    throwIfAny(bySeverity(problems).errors, "integration-platform validate --online");
    const relationOf = relationById(idsByIntegration);
    return { integrationIds, overrideFor: (scope) => overrideFor(scope, stack.declarations.overrides, relationOf) };
  } catch (error) {
    if (error instanceof ApiError || error instanceof ConfigurationError) {
      throw new pulumi.RunError(withSource(error, stack.config));
    }
    throw error;
  }
}
