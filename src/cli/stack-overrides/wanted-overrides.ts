import { defined } from "../../json/defined.ts";
import { isNamed } from "../../stack/declarations/override-for.ts";
import type { YamlOverride } from "../pause-note/note.ts";
import type { DeclaredTenant, DeclaredTenants } from "./declared-tenants.ts";
import type { Incident } from "./incident.ts";

/**
 * The overrides that keep tenants paused, one for each integration: for the whole integration, if that covers nobody else;
 * otherwise for the tenants by their names, or by their keys where others have such a name.
 *
 * @param toCover the tenants that an `up` would resume.
 * @param stack all tenants of the stack, and why there may be more.
 * @returns also the tenants that no override can name, as others that it would pause have their names and keys.
 */
export function wantedOverrides(
  toCover: readonly DeclaredTenant[],
  stack: DeclaredTenants,
  incident: Incident,
): { overrides: YamlOverride[]; unnamed: DeclaredTenant[] } {
  const { reason, until, wholeIntegrations } = incident;
  const byIntegration = Map.groupBy(toCover, ({ integrationId }) => integrationId);
  const unnamed: DeclaredTenant[] = [];
  const overrides = [...byIntegration].flatMap(([integrationId, tenants]) => {
    const [first] = tenants;
    if (first === undefined) return [];
    const covered = new Set(tenants);
    const others = stack.tenants.filter((tenant) => tenant.integrationId === integrationId && !covered.has(tenant));
    const areAllKnown = stack.unknown.length === 0 || wholeIntegrations.includes(integrationId);
    // A tenant that does not declare `paused` is harmed: the override would remember what it finds, which is the pause that `pause`
    // has just made, and the end of the override would leave a tenant paused that `resume` has brought back.
    const affected = others.filter(({ paused }) => paused !== true);
    const isWhole = areAllKnown && affected.length === 0;
    const labelOf = ({ name, key }: DeclaredTenant) =>
      [name, key].find((label) => !affected.some((other) => isNamed(other, [label])));
    const names = new Set<string>();
    for (const tenant of isWhole ? [] : tenants) {
      const label = labelOf(tenant);
      if (label === undefined) unnamed.push(tenant);
      else names.add(label);
    }
    if (!isWhole && names.size === 0) return [];
    const named = isWhole ? undefined : [...names];
    return [defined({ paused: true as const, reason, until, integration: first.integration, tenants: named })];
  });
  return { overrides, unnamed };
}
