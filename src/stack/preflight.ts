import * as pulumi from "@pulumi/pulumi";
import { ApiError, ConfigurationError, createClient } from "../api/index.ts";
import { connectionSettings } from "../connection.ts";
import { resolveRelease } from "../resources/tenant/release.ts";
import { createSnapshot, type Snapshot, UnknownNameError } from "../snapshot/index.ts";
import type { Problem } from "./problems.ts";
import type { Stack } from "./stack.ts";
import type { DeclaredTenant } from "./tenants.ts";

/**
 * Asks the platform, before any resource is registered, whether the integrations and releases exist that the stack
 * names, so that what is misspelt is told with its line. One request for all integrations and one for the releases of each.
 */
export async function preflight(stack: Stack): Promise<void> {
  if (stack.tenants.length === 0) return;
  try {
    const client = createClient(connectionSettings(stack.setting));
    const snapshot = createSnapshot(client);
    const problems = await Promise.all(stack.tenants.map((tenant) => problemsOf(snapshot, tenant)));
    stack.refuse(problems.flat());
    await client.close();
  } catch (error) {
    if (error instanceof ApiError || error instanceof ConfigurationError) throw new pulumi.RunError(error.message);
    throw error;
  }
}

async function problemsOf(snapshot: Snapshot, { integration, entry, placeOf }: DeclaredTenant): Promise<Problem[]> {
  let path = placeOf(["integration"]);
  try {
    const { id } = await snapshot.integrations.find(integration);
    path = placeOf(["release"]);
    if (entry.release !== undefined) await resolveRelease(snapshot.releasesOf(id), entry.release);
    return [];
  } catch (error) {
    if (error instanceof UnknownNameError) return [{ path, reason: `: ${error.message}` }];
    throw error;
  }
}
