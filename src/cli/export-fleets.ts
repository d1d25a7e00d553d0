import type { Platform } from "../resources/platform.ts";
import { designationOf, type ExportedTenant, exportTenant, liveTenants } from "./export-tenants.ts";
import { uniqueKeys } from "./unique-keys.ts";

/** The live tenants of an integration, as a stack declares them to take them over as one fleet. */
export interface ExportedFleet {
  /** Name of the resource, and of a file: lowercase letters, digits and `-`. */
  key: string;
  integration: string | number;
  /** In the order of their ids. Their entries name no integration: it is the fleet's. */
  tenants: ExportedTenant[];
}

/** A fleet for the integration, by name or id, or for each of `"all"`, that has live tenants. */
export async function exportFleets(platform: Platform, integration: string): Promise<ExportedFleet[]> {
  const live = (await liveTenants(platform, integration)).filter(({ tenants }) => tenants.length > 0);
  const fleets = live.map(({ scope, tenants }) => ({ id: scope.id, name: fleetName(scope.record), scope, tenants }));
  const fleetKeyOf = uniqueKeys(fleets);
  const exported = fleets.map(async ({ scope, tenants, ...fleet }): Promise<ExportedFleet> => {
    const keyOf = uniqueKeys(tenants);
    return {
      key: fleetKeyOf(fleet),
      integration: await designationOf(platform, scope),
      tenants: await Promise.all(tenants.map((tenant) => exportTenant(platform, scope, tenant, keyOf(tenant)))),
    };
  });
  return Promise.all(exported);
}

/** An integration's name as a key: names may hold anything, and be long. */
function fleetName({ name }: { name: string }): string {
  const letters = name.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase();
  const words = letters.replace(/[^a-z0-9]+/g, "-").slice(0, 60);
  return words.replace(/^-|-$/g, "") || "integration";
}
