import { integrationOf } from "./cross-checks.ts";
import type { TenantDeclaration } from "./declarations.ts";
import type { FleetTenantEntry, TenantEntry } from "./schema.ts";

/** A tenant that a stack declares, with its integration and its name. */
export interface NamedTenant extends Pick<TenantDeclaration, "key" | "fleet" | "node"> {
  integration: string | number;
  /** Its settings, decrypted. */
  entry: Omit<TenantEntry | FleetTenantEntry, "integration" | "sync"> & { name: string };
  /** Its own `adopt`, otherwise that of its fleet. */
  adopt: TenantEntry["adopt"];
  /** The key of the build whose release it runs. */
  build: string | undefined;
}

/** The tenant of a declaration. One without an integration is a problem of the config, and gives none. */
export function namedTenant(declaration: TenantDeclaration): NamedTenant[] {
  const { key, fleet, node, entry } = declaration;
  const integration = integrationOf(declaration);
  if (integration === undefined) return [];
  return [
    {
      key,
      fleet,
      node,
      integration,
      entry: { ...entry, name: entry.name ?? key },
      adopt: entry.adopt ?? fleet?.entry.adopt,
      build: entry.release?.build,
    },
  ];
}
