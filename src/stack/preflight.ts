import * as pulumi from "@pulumi/pulumi";
import { ApiError, ConfigurationError, createClient } from "../api/index.ts";
import { connectionSettings } from "../connection.ts";
import { integrationScope } from "../resources/integration-scope.ts";
import { createPlatform, type Platform } from "../resources/platform.ts";
import { schemaFailures } from "../resources/schema-failures.ts";
import { schemasOf } from "../resources/tenant/desired.ts";
import { resolveRelease } from "../resources/tenant/release.ts";
import { UnknownNameError } from "../snapshot/index.ts";
import type { Problem } from "./problems.ts";
import type { Stack } from "./stack.ts";
import type { DeclaredTenant } from "./tenants.ts";

/**
 * Asks the platform, before any resource is registered, whether the integrations and releases exist that the stack
 * names, and whether what is declared fits their schemas: so that all of it is told at once, line by line. One request
 * for all integrations and one for the releases of each; what needs a look at the tenants is left to their checks.
 */
export async function preflight(stack: Stack): Promise<void> {
  if (stack.tenants.length === 0) return;
  try {
    const client = createClient(connectionSettings(stack.setting));
    const platform = createPlatform({ client, warn: (message) => pulumi.log.warn(message) });
    const problems = await Promise.all(stack.tenants.map((tenant) => problemsOf(platform, tenant)));
    await client.close();
    stack.refuse(problems.flat());
  } catch (error) {
    if (error instanceof ApiError || error instanceof ConfigurationError) throw new pulumi.RunError(error.message);
    throw error;
  }
}

async function problemsOf(platform: Platform, tenant: DeclaredTenant): Promise<Problem[]> {
  const { entry, placeOf } = tenant;
  let path = placeOf(["integration"]);
  try {
    const integration = await integrationScope(platform, tenant.integration);
    if (entry.release === undefined) return [];
    path = placeOf(["release"]);
    const schemas = await schemasOf(platform, integration, await resolveRelease(integration.releases, entry.release));
    // a tenant that is taken over may have had what does not fit for long
    if (entry.adopt === true || typeof entry.adopt === "number") return [];
    return (["configs", "metadata"] as const).flatMap((name) =>
      schemaFailures({ property: name, schema: schemas[name], declared: entry[name] ?? {}, live: undefined }).map(
        ({ path: place, reason }) => ({ path: placeOf(place), reason }),
      ),
    );
  } catch (error) {
    if (error instanceof UnknownNameError) return [{ path, reason: error.message }];
    throw error;
  }
}
