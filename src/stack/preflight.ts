import * as pulumi from "@pulumi/pulumi";
import { ApiError, ConfigurationError, createClient } from "../api/index.ts";
import { connectionSettings } from "../connection/connection-settings.ts";
import { integrationScope } from "../operation/integration-scope.ts";
import { createOperationContext, type OperationContext } from "../operation/operation-context.ts";
import { resolvedSettings, schemasOf } from "../resources/tenant/desired.ts";
import { schemaFailures } from "../settings/schema-failures.ts";
import { keysEntries } from "../settings/table.ts";
import { tenantIdentity } from "../settings/tenant-identity.ts";
import { orUnknownName, UnknownNameError } from "../snapshot/index.ts";
import { placeAt } from "./config-node.ts";
import { declaredTwice, takesOver } from "./cross-checks.ts";
import { plaintextSecrets } from "./plaintext-secrets.ts";
import { type Problem, refuse } from "./problems.ts";
import type { Stack } from "./stack.ts";
import type { DeclaredTenant } from "./tenants.ts";

/** What the preflight has found. */
export interface Preflight {
  /** The ids of the builds' integrations, by the keys of the builds. */
  integrationIds: ReadonlyMap<string, number>;
}

/**
 * Asks the platform, before any resource is registered, whether the integrations and releases exist that the stack names,
 * and whether configs and metadata fit their schemas. All problems are shown at once, with file, line and column. It takes
 * one request for all integrations and one for the releases of each. The checks of the resources look at the tenants.
 */
export async function preflight(stack: Stack): Promise<Preflight> {
  const builds = Object.entries(stack.builds);
  const tenants = [...stack.tenants, ...stack.fleets.flatMap((fleet) => fleet.tenants)];
  if (tenants.length === 0 && builds.length === 0) return { integrationIds: new Map() };
  try {
    const client = createClient(connectionSettings(stack.setting));
    const context = createOperationContext({ client, warn: (message) => pulumi.log.warn(message) });
    const firstDeclarations = new Map<string, DeclaredTenant>();
    const found = tenants.map((tenant) => problemsOf(context, stack, tenant, firstDeclarations));
    const problems = (await Promise.all(found)).flat();
    const integrationIds = new Map<string, number>();
    for (const [key, { integration }] of builds) {
      const known = await orUnknownName(context.snapshot.integrations.find(integration));
      if (known instanceof UnknownNameError) {
        problems.push({ ...placeAt(stack.config, ["builds", key, "integration"]), reason: known.message });
      } else {
        integrationIds.set(key, known.id);
      }
    }
    await client.close();
    refuse(problems);
    return { integrationIds };
  } catch (error) {
    if (error instanceof ApiError || error instanceof ConfigurationError) throw new pulumi.RunError(error.message);
    throw error;
  }
}

/** @param firstDeclarations of the tenants before this one, by what tells them apart on the platform. */
async function problemsOf(
  context: OperationContext,
  stack: Stack,
  tenant: DeclaredTenant,
  firstDeclarations: Map<string, DeclaredTenant>,
): Promise<Problem[]> {
  const { entry, fleet, node, adopt } = tenant;
  const problem = (path: readonly string[], reason: string) => ({ ...placeAt(node, path), reason });
  const integration = await orUnknownName(integrationScope(context, tenant.integration));
  if (integration instanceof UnknownNameError) {
    return [{ ...placeAt(fleet?.node ?? node, ["integration"]), reason: integration.message }];
  }
  // One declaration may name the integration, and the other give its id: here both have the id.
  const identity = tenantIdentity({ integration: integration.id, name: entry.name, adopt: entry.adopt });
  const first = firstDeclarations.get(identity);
  if (first !== undefined) return [problem([], declaredTwice(entry.name, first))];
  firstDeclarations.set(identity, tenant);
  if (tenant.build !== undefined) return []; // The release does not exist yet.
  const resolved = await orUnknownName(resolvedSettings(integration.releases, { release: entry.release }));
  if (resolved instanceof UnknownNameError) return [problem(["release"], resolved.message)];
  const { release } = resolved;
  if (keysEntries.every(([name]) => entry[name] === undefined)) return [];
  const schemas = await orUnknownName(schemasOf(context, integration, release));
  if (schemas instanceof UnknownNameError) return []; // There is no default release: the tenant's check handles that.
  const plaintext = plaintextSecrets(node, schemas, stack.allowPlaintextSecrets);
  // A tenant that exists already may run another release than the default, and may have had for long what does not fit.
  if (release === undefined || takesOver(adopt)) return plaintext;
  const failures = keysEntries.flatMap(([property, { schemaOf }]) =>
    schemaFailures({ property, schema: schemaOf(schemas), declared: entry[property] ?? {}, live: undefined }),
  );
  return [...plaintext, ...failures.map(({ path, reason }) => ({ ...placeAt(node, path), reason }))];
}
