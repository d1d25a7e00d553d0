import type { Tenant } from "../../api/index.ts";
import { aliasProblems } from "../../inputs/alias-problems.ts";
import { didYouMean } from "../../inputs/did-you-mean.ts";
import { formatPath } from "../../json/key-path.ts";
import { isUnknown } from "../../json/unknown.ts";
import { invalidSettings } from "../../settings/invalid-settings.ts";
import { nameLengthMaximum } from "../../settings/name.ts";
import { tenantIdentity } from "../../settings/tenant-identity.ts";
import { type Place, placeAt } from "../config/config-node.ts";
import type { Problem } from "../config/problems.ts";
import type { FleetDeclaration, TenantDeclaration } from "../declarations/declarations.ts";
import { integrationOf } from "../declarations/named-tenant.ts";
import type { TenantEntry } from "../declarations/schema.ts";

/** Problems that the schema does not find: names, schedules, unknown builds, and tenants that are declared twice. */
export function crossChecks(tenants: readonly TenantDeclaration[], builds: readonly string[]): Problem[] {
  const firstDeclarations = new Map<string, TenantDeclaration>();
  const problems = tenants.flatMap((tenant): Problem[] => {
    const { key, fleet, node, entry } = tenant;
    if (isIdentityUnknown(tenant)) return [];
    const integration = integrationOf(tenant);
    if (integration === undefined) {
      const reason = "has no integration; set integration here or in tenantDefaults to the name or the id of one";
      return fleet === undefined ? [{ ...node.place, reason }] : [];
    }
    const { name = key, release, adopt = fleet?.entry.adopt } = entry;
    const identity = tenantIdentity({ integration, name, adopt });
    const first = firstDeclarations.get(identity);
    firstDeclarations.set(identity, first ?? tenant);
    return [
      ...(takesOver(adopt) || isLong(name) ? [] : valueProblems(tenant)),
      ...problem(placeAt(node, ["release", "build"]), buildProblem(release?.build, builds)),
      ...problem(node.place, first && typeof adopt !== "number" ? declaredTwice(name, first) : undefined),
      ...problem(placeAt(node, ["adopt"]), first && typeof adopt === "number" ? adoptedTwice(first) : undefined),
    ];
  });
  const groups = Map.groupBy(tenants, ({ fleet }) => fleet?.key);
  return [...problems, ...[...groups.values()].flatMap((group) => misusedAliases(group, "tenant"))];
}

/** Whether it cannot be known without the stack's passphrase which tenant a declaration means. */
export function isIdentityUnknown({ node, fleet }: Pick<TenantDeclaration, "node" | "fleet">): boolean {
  const known = ["integration", "name", "adopt"] as const;
  return [node, fleet?.node].some((of) => known.some((key) => isUnknown(of?.part(key)?.value)));
}

/** The message for the second of two declarations of one tenant. */
export function declaredTwice(name: string, first: Pick<TenantDeclaration, "node">): string {
  return `is a second declaration of tenant "${name}", which ${describe(first)} declares too: remove one of the two`;
}

function adoptedTwice(first: Pick<TenantDeclaration, "node">): string {
  return `is an id that ${describe(first)} adopts too: remove one of the two, or correct the id`;
}

function describe({ node: { place } }: Pick<TenantDeclaration, "node">): string {
  return `${formatPath(place.path)} (${place.where})`;
}

/** What has aliases: a tenant or a fleet. */
interface Aliased extends Pick<FleetDeclaration, "key" | "node"> {
  entry: { aliases?: readonly string[] | undefined };
}

/** Aliases that would take the place of another tenant or fleet, or that the engine would refuse. */
export function misusedAliases(declarations: readonly Aliased[], kind: "tenant" | "fleet"): Problem[] {
  const nodes = new Map(declarations.map(({ key, node }) => [key, node]));
  const aliased = declarations.map(({ key, entry: { aliases } }) => ({ key, aliases }));
  return aliasProblems(aliased, kind).flatMap(({ key, index, reason }) => {
    const node = nodes.get(key);
    return node === undefined ? [] : [{ ...placeAt(node, ["aliases", index]), reason }];
  });
}

/** Whether the tenant exists already. Then it may have a name and a schedule that a new tenant may not. */
export function takesOver(adopt: TenantEntry["adopt"]): boolean {
  return adopt === true || typeof adopt === "number";
}

/** Whether only a tenant that exists already can have a name, which the preflight knows. */
export function isLong(name: string): boolean {
  return name.length > nameLengthMaximum;
}

/**
 * What is wrong with values beyond their shape.
 *
 * @param live the tenant that is taken over: what it has already is accepted.
 */
export function valueProblems(
  { key, node, entry }: Pick<TenantDeclaration, "key" | "node" | "entry">,
  live?: Tenant,
): Problem[] {
  return invalidSettings({ ...entry, name: entry.name ?? key }, live).map(({ property, reason }) =>
    entry[property] !== undefined
      ? { ...placeAt(node, [property]), reason }
      : // Only a name has a default: the key.
        { ...node.place, reason: `is the tenant's name, which ${reason}. Correct it, or set name` },
  );
}

function problem(place: Place, reason: string | undefined): Problem[] {
  return reason ? [{ ...place, reason }] : [];
}

/** Why a build cannot be the release of tenants. */
export function buildProblem(build: string | undefined, known: readonly string[]): string | undefined {
  if (build === undefined || known.includes(build)) return undefined;
  return `is not the key of a build of this stack${didYouMean(build, known)}`;
}
