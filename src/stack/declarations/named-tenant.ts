import { hasUnknown } from "../../json/unknown.ts";
import type { ConfigNode } from "../config/config-node.ts";
import { isWithin, type Problem } from "../config/problems.ts";
import type { FleetDeclaration, TenantDeclaration } from "./declarations.ts";
import type { FleetTenantEntry, TenantEntry } from "./schema.ts";

/** A tenant that a stack declares, with its integration and its name. */
export interface NamedTenant extends Pick<TenantDeclaration, "key" | "fleet" | "node"> {
  integration: string | number;
  /** Its settings, decrypted. */
  entry: Omit<TenantEntry | FleetTenantEntry, "integration" | "sync"> & { name: string };
  /** Its own `adopt`, otherwise that of its fleet. */
  adopt: TenantEntry["adopt"];
  /** Its own `schemaViolations`, otherwise that of its fleet. */
  schemaViolations: TenantEntry["schemaViolations"];
  /** The key of the build whose release it runs. */
  build: string | undefined;
  /** The release to which the rollout of its fleet takes it. It may run another one until then. */
  target: FleetTenantEntry["release"];
}

/** The tenant of a declaration. One without an integration is a problem of the config, and gives none. */
export function namedTenants(declaration: TenantDeclaration): NamedTenant[] {
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
      schemaViolations: entry.schemaViolations ?? fleet?.entry.schemaViolations,
      build: entry.release?.build,
      target: targetOf(declaration),
    },
  ];
}

/** The target of its fleet's rollout, unless the tenant has a release of its own or is excluded. */
function targetOf({ key, fleet, entry }: TenantDeclaration): NamedTenant["target"] {
  const { rollout, defaults } = fleet?.entry ?? {};
  const isMember = rollout !== undefined && entry.release === undefined && !rollout.exclude?.includes(key);
  return isMember ? defaults?.release : undefined;
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
export function isTargetKnown({ node, fleet, target }: NamedTenant, problems: readonly Problem[]): boolean {
  if (target !== undefined && fleet !== undefined && !isRolloutKnown(fleet, problems)) return false;
  // A group may have the release, or the integration.
  if (!isKnown(node.part("groups"), problems)) return false;
  return [node, fleet?.node].every((of) => targetKeys.every((key) => isKnown(of?.part(key), problems)));
}

/** Whether a fleet has a rollout, and it is known to which release of which integration it leads. */
export function isRolloutKnown({ node }: FleetDeclaration, problems: readonly Problem[]): boolean {
  const release = node.part("defaults")?.part("release");
  const isRollout = node.part("rollout") !== undefined && release !== undefined;
  return isRollout && [node.part("integration"), release].every((part) => isKnown(part, problems));
}

/** Whether nothing of a part is encrypted, and it has no problem. */
function isKnown(part: ConfigNode | undefined, problems: readonly Problem[]): boolean {
  if (part === undefined) return true;
  const { path } = part.place;
  return !hasUnknown(part.value) && !problems.some((problem) => isWithin(problem.path, path));
}
