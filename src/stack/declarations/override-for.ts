import { defined } from "../../json/defined.ts";
import { endOf, type Override } from "../../settings/override.ts";
import type { OverrideDeclaration } from "./overrides.ts";

/** What an override may cover: a tenant, or a fleet as a whole. */
export interface OverrideScope {
  /** The key of the fleet. Default: the tenant is a resource of its own. */
  fleet?: string | undefined;
  integration: string | number;
  /** Default: the whole fleet. */
  tenant?: { key: string; name: string };
}

/** How two ways to say which integration is meant are related. A name and an id are "unknown" without the platform. */
export type Relation = "same" | "different" | "unknown";
export type RelationOf = (one: string | number, other: string | number) => Relation;

/** The relation as far as it is known without the platform. */
export function writtenRelation(one: string | number, other: string | number): Relation {
  if (one === other) return "same";
  return typeof one === typeof other ? "different" : "unknown";
}

/** The relation as the platform shows it: an integration may be declared by its name here and by its id there. */
export function relationById(ids: ReadonlyMap<string | number, number>): RelationOf {
  return (one, other) => ((ids.get(one) ?? one) === (ids.get(other) ?? other) ? "same" : "different");
}

/**
 * The override of a tenant, or of a whole fleet: of those that cover it, the one that ends last, and of those that end at the
 * same time the first. So an override that has ended, or ends sooner, does not hide another.
 */
export function overrideFor(
  scope: OverrideScope,
  overrides: readonly OverrideDeclaration[],
  relationOf: RelationOf,
): Override | undefined {
  const covering = overrides.filter((override) => covers(override, scope, relationOf));
  const last = Math.max(...covering.map(endOf));
  const found = covering.find((override) => endOf(override) === last);
  return found && defined({ paused: found.paused, reason: found.reason, until: found.until });
}

function covers(override: OverrideDeclaration, scope: OverrideScope, relationOf: RelationOf): boolean {
  const { fleet, integration, tenants } = override;
  if (fleet !== undefined && fleet !== scope.fleet) return false;
  if (integration !== undefined && relationOf(integration, scope.integration) !== "same") return false;
  return tenants === undefined || (scope.tenant !== undefined && isNamed(scope.tenant, tenants));
}

/** Whether a list names a tenant, by its name or by its key. */
export function isNamed({ key, name }: { key: string; name: string }, tenants: readonly string[]): boolean {
  return tenants.includes(name) || tenants.includes(key);
}
