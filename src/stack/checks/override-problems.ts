import { didYouMean } from "../../inputs/did-you-mean.ts";
import { isUnknown } from "../../json/unknown.ts";
import { type ConfigNode, placeAt } from "../config/config-node.ts";
import { isWithin, type Problem } from "../config/problems.ts";
import type { Declarations, TenantDeclaration } from "../declarations/declarations.ts";
import { integrationOf } from "../declarations/named-tenant.ts";
import type { RelationOf } from "../declarations/override-for.ts";
import type { OverrideDeclaration } from "../declarations/overrides.ts";
import { areTenantsKnown } from "./known-tenants.ts";

/** What a stack declares, as far as overrides can name it. */
export interface Overridable extends Pick<Declarations, "standalone" | "fleets" | "overrides"> {
  config: ConfigNode;
  /** What is wrong with the declarations: an override may name a tenant in a file that is unreadable. */
  problems: readonly Problem[];
}

/** Overrides that name what the stack does not declare. In an incident they would pause nobody. */
export function overrideProblems(stack: Overridable, relationOf: RelationOf): Problem[] {
  return stack.overrides.flatMap((override) => [
    ...integrationProblems(stack, override, relationOf),
    ...tenantProblems(stack, override, relationOf),
  ]);
}

function integrationProblems(stack: Overridable, override: OverrideDeclaration, relationOf: RelationOf): Problem[] {
  const { integration, node } = override;
  if (integration === undefined || !areAllKnown(stack)) return [];
  const declared = [
    ...stack.standalone.map(integrationOf),
    ...stack.fleets.map(({ fleet }) => fleet.entry.integration),
  ];
  if (declared.some((one) => one === undefined || relationOf(one, integration) !== "different")) return [];
  const known = [...new Set(declared.map(String))];
  const reason = `is an integration of no tenant of this stack, so nobody would be paused${didYouMean(String(integration), known)}`;
  return [{ ...placeAt(node, ["integration"]), reason }];
}

function tenantProblems(stack: Overridable, override: OverrideDeclaration, relationOf: RelationOf): Problem[] {
  const { node, fleet, integration, tenants = [] } = override;
  const [inFleet] = stack.fleets.filter((one) => one.fleet.key === fleet);
  const areKnown = inFleet ? areTenantsKnown(inFleet.fleet.node, stack.problems) : areAllKnown(stack);
  if (!areKnown) return [];
  const all = inFleet?.tenants ?? [...stack.standalone, ...stack.fleets.flatMap((one) => one.tenants)];
  const candidates = all.filter((tenant) => {
    const own = integrationOf(tenant);
    return integration === undefined || own === undefined || relationOf(own, integration) !== "different";
  });
  if (candidates.some(isNameUnknown)) return [];
  const names = namesOf(candidates);
  const others = namesOf(all);
  const where = inFleet ? "this fleet" : "this stack";
  return tenants.flatMap((name, index) => {
    if (names.has(name)) return [];
    const reason = others.has(name)
      ? "is a tenant of another integration than this override is for"
      : `is not a tenant of ${where}${didYouMean(name, [...names])}`;
    return [{ ...placeAt(node, ["tenants", index]), reason }];
  });
}

/** The names and the keys of tenants. */
function namesOf(tenants: readonly TenantDeclaration[]): ReadonlySet<string> {
  return new Set(tenants.flatMap(({ key, entry }) => [entry.name ?? key, key]));
}

function isNameUnknown({ node }: TenantDeclaration): boolean {
  return isUnknown(node.value) || isUnknown(node.part("name")?.value);
}

/** Whether all tenants of the stack are known, with their integrations. */
function areAllKnown({ config, fleets, problems }: Overridable): boolean {
  const isUsable = (key: string) =>
    !isUnknown(config.part(key)?.value) && !problems.some(({ path }) => path.length === 1 && isWithin(path, [key]));
  return ["tenants", "fleets"].every(isUsable) && fleets.every(({ fleet }) => areTenantsKnown(fleet.node, problems));
}
