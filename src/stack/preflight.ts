import * as pulumi from "@pulumi/pulumi";
import { ApiError, ConfigurationError, createClient } from "../api/index.ts";
import { connectionSettings } from "../connection.ts";
import { valueAt } from "../json-schema/index.ts";
import { integrationScope } from "../resources/integration-scope.ts";
import { createPlatform, type Platform } from "../resources/platform.ts";
import { schemaFailures } from "../resources/schema-failures.ts";
import { schemasOf } from "../resources/tenant/desired.ts";
import { resolveRelease } from "../resources/tenant/release.ts";
import { orUnknownName, UnknownNameError } from "../snapshot/index.ts";
import { declaredTwice } from "./cross-checks.ts";
import { plaintextSecrets } from "./plaintext-secrets.ts";
import type { Problem } from "./problems.ts";
import type { Stack } from "./stack.ts";
import type { DeclaredTenant } from "./tenants.ts";

/** What the preflight has learned. */
export interface Preflight {
  /** The ids of the builds' integrations, by the keys of the builds. */
  integrationIds: ReadonlyMap<string, number>;
}

/**
 * Asks the platform, before any resource is registered, whether the integrations and releases exist that the stack
 * names, and whether what is declared fits their schemas: so that all of it is told at once, line by line. One request
 * for all integrations and one for the releases of each; what needs a look at the tenants is left to their checks.
 */
export async function preflight(stack: Stack): Promise<Preflight> {
  const builds = Object.entries(stack.builds);
  const tenants = [...stack.tenants, ...stack.fleets.flatMap((fleet) => fleet.tenants)];
  if (tenants.length === 0 && builds.length === 0) return { integrationIds: new Map() };
  try {
    const client = createClient(connectionSettings(stack.setting));
    const platform = createPlatform({ client, warn: (message) => pulumi.log.warn(message) });
    const declaredBefore = new Map<string, DeclaredTenant>();
    const problems = await Promise.all(tenants.map((tenant) => problemsOf(platform, stack, tenant, declaredBefore)));
    const integrationIds = new Map<string, number>();
    for (const [key, { integration }] of builds) {
      const path = ["builds", key, "integration"];
      const found = await orUnknownName(platform.snapshot.integrations.find(integration));
      if (found instanceof UnknownNameError) problems.push([{ path, reason: found.message }]);
      else integrationIds.set(key, found.id);
    }
    await client.close();
    stack.refuse(distinct(problems.flat()));
    return { integrationIds };
  } catch (error) {
    if (error instanceof ApiError || error instanceof ConfigurationError) throw new pulumi.RunError(error.message);
    throw error;
  }
}

async function problemsOf(
  platform: Platform,
  stack: Stack,
  tenant: DeclaredTenant,
  declaredBefore: Map<string, DeclaredTenant>,
): Promise<Problem[]> {
  const { entry, fleet, placeOf } = tenant;
  const integration = await orUnknownName(integrationScope(platform, tenant.integration));
  if (integration instanceof UnknownNameError) {
    return [{ ...(fleet?.layer ?? tenant).placeOf(["integration"]), reason: integration.message }];
  }
  // one may say the integration's name, another its id; several live tenants may bear one name
  const identity = typeof entry.adopt === "number" ? String(entry.adopt) : `${integration.id}/${entry.name}`;
  const other = declaredBefore.get(identity);
  if (other !== undefined) return [{ ...placeOf([]), reason: declaredTwice(entry.name, other) }];
  declaredBefore.set(identity, tenant);
  if (tenant.build !== undefined) return []; // a build's release is yet to come
  const release = entry.release && (await orUnknownName(resolveRelease(integration.releases, entry.release)));
  if (release instanceof UnknownNameError) return [{ ...placeOf(["release"]), reason: release.message }];
  if (entry.configs === undefined && entry.metadata === undefined) return [];
  const schemas = await orUnknownName(schemasOf(platform, integration, release));
  if (schemas instanceof UnknownNameError) return []; // of a default release that is not there, only an `up` can tell
  const inClear = plaintextSecrets(tenant, schemas, stack.allowPlaintextSecrets);
  if (release === undefined) return inClear; // a tenant that is there already may run another than the default
  // a tenant that is taken over may have had what does not fit for long
  const adopt = entry.adopt ?? (fleet && valueAt(fleet.layer.value, ["adopt"]));
  if (adopt === true || typeof adopt === "number") return inClear;
  const misfits = (["configs", "metadata"] as const).flatMap((name) =>
    schemaFailures({ property: name, schema: schemas[name], declared: entry[name] ?? {}, live: undefined }).map(
      ({ path, reason }) => ({ ...placeOf(path), reason }),
    ),
  );
  return [...inClear, ...misfits];
}

/** What is wrong with a fleet comes back once from each of its tenants. */
function distinct(problems: readonly Problem[]): Problem[] {
  return [...new Map(problems.map((problem) => [JSON.stringify(problem), problem])).values()];
}
