import type { ExportedFleet } from "./export-fleets.ts";
import type { ExportedTenant } from "./export-tenants.ts";
import { type WithDefaults, withDefaults } from "./with-defaults.ts";
import { writeYaml } from "./write-yaml.ts";

const tenantsKey = "integration-platform:tenants";
const fleetsKey = "integration-platform:fleets";

/** The tenants as the `config` of a stack's YAML, with what most of them share as `tenantDefaults`. */
export function writeStackYaml(tenants: readonly ExportedTenant[]): string {
  const { defaults, entries } = withDefaults(tenants);
  const config = { ...unlessEmpty("integration-platform:tenantDefaults", defaults), [tenantsKey]: entries };
  return writeYaml({ config }, [{ path: ["config", tenantsKey], tenants }]);
}

/**
 * The fleets as the `config` of a stack's YAML, each with what most of its tenants share as `defaults`.
 *
 * @param pathOf the file of a fleet's tenants, where they do not stand in the stack's own.
 */
export function writeFleetsYaml(
  fleets: readonly ExportedFleet[],
  pathOf: ((fleet: ExportedFleet) => string) | undefined,
): string {
  const declared = fleets.map((fleet) => [fleet.key, declaredFleet(fleet, pathOf?.(fleet))]);
  return writeYaml(
    { config: { [fleetsKey]: Object.fromEntries(declared) } },
    fleets.map(({ key, tenants }) => ({ path: ["config", fleetsKey, key, "tenants"], tenants })),
  );
}

/** A file of a fleet's tenants, to go with the fleet's `defaults`. */
export function writeTenantsYaml({ tenants }: ExportedFleet): string {
  return writeYaml(withDefaults(tenants).entries, [{ path: [], tenants }]);
}

function declaredFleet({ integration, tenants }: ExportedFleet, tenantsFrom: string | undefined): object {
  const { defaults, entries } = withDefaults(tenants);
  const own = tenantsFrom === undefined ? { tenants: entries } : { tenantsFrom };
  return { integration, ...unlessEmpty("defaults", defaults), ...own };
}

function unlessEmpty(key: string, defaults: WithDefaults["defaults"]): object {
  return Object.keys(defaults).length === 0 ? {} : { [key]: defaults };
}
