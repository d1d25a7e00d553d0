import { hasUnknown } from "../../json/unknown.ts";
import { isWithin, type Problem } from "../config/problems.ts";
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

/** The integration of a tenant: its fleet declares it, or the tenant itself. */
export function integrationOf({ fleet, entry }: TenantDeclaration): string | number | undefined {
  if (fleet !== undefined) return fleet.entry.integration;
  return "integration" in entry ? entry.integration : undefined;
}

const targetKeys = ["integration", "name", "adopt", "release"];

/**
 * Whether it is known which tenant and which release a declaration means: none of what says so is encrypted, or has a problem.
 * Only then can it be compared with the platform.
 */
export function isTargetKnown({ node, fleet }: NamedTenant, problems: readonly Problem[]): boolean {
  return [node, fleet?.node].every((of) =>
    targetKeys.every((key) => {
      const part = of?.part(key);
      if (part === undefined) return true;
      const { path } = part.place;
      return !hasUnknown(part.value) && !problems.some((problem) => isWithin(problem.path, path));
    }),
  );
}
