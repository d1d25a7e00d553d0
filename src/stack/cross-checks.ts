import { didYouMean } from "../inputs/did-you-mean.ts";
import { isUnknown } from "../json/unknown.ts";
import { type SomeSettings, settingEntries } from "../settings/table.ts";
import { tenantIdentity } from "../settings/tenant-identity.ts";
import { type Place, placeAt } from "./config-node.ts";
import type { TenantDeclaration } from "./declarations.ts";
import type { Problem } from "./problems.ts";
import type { TenantEntry } from "./schema.ts";

/** Problems that the schema does not find: names, schedules, unknown builds, and tenants that are declared twice. */
export function crossChecks(tenants: readonly TenantDeclaration[], builds: readonly string[]): Problem[] {
  const firstDeclarations = new Map<string, TenantDeclaration>();
  return tenants.flatMap((tenant): Problem[] => {
    const { key, fleet, node, entry } = tenant;
    if (isIdentityUnknown(tenant)) return [];
    const integration = integrationOf(tenant);
    if (integration === undefined) {
      const reason = "has no integration: set it here or in tenantDefaults";
      return fleet === undefined ? [{ ...node.place, reason }] : [];
    }
    const { name = key, release, adopt = fleet?.entry.adopt } = entry;
    const identity = tenantIdentity({ integration, name, adopt });
    const first = firstDeclarations.get(identity);
    firstDeclarations.set(identity, first ?? tenant);
    return [
      ...(takesOver(adopt) ? [] : valueProblems(tenant)),
      ...problem(placeAt(node, ["release", "build"]), buildProblem(release?.build, builds)),
      ...problem(node.place, first && declaredTwice(name, first)),
    ];
  });
}

/** Whether it cannot be known without the stack's passphrase which tenant a declaration means. */
export function isIdentityUnknown({ node, fleet }: Pick<TenantDeclaration, "node" | "fleet">): boolean {
  const known = ["integration", "name", "adopt"] as const;
  return [node, fleet?.node].some((of) => known.some((key) => isUnknown(of?.part(key)?.value)));
}

/** The integration of a tenant: its fleet declares it, or the tenant itself. */
export function integrationOf({ fleet, entry }: TenantDeclaration): string | number | undefined {
  if (fleet !== undefined) return fleet.entry.integration;
  return "integration" in entry ? entry.integration : undefined;
}

/** The message for the second of two declarations of one tenant. */
export function declaredTwice(name: string, { key, fleet }: Pick<TenantDeclaration, "key" | "fleet">): string {
  const first = `"${key}"${fleet ? ` of fleet "${fleet.key}"` : ""}`;
  return `is a second declaration of tenant "${name}", which ${first} declares too: remove one of the two`;
}

/** Whether the tenant exists already. Then it may have a name and a schedule that a new tenant may not. */
export function takesOver(adopt: TenantEntry["adopt"]): boolean {
  return adopt === true || typeof adopt === "number";
}

/** What is wrong with values beyond their shape. */
function valueProblems({ key, node, entry }: TenantDeclaration): Problem[] {
  const settings: SomeSettings = { ...entry, name: entry.name ?? key };
  return settingEntries.flatMap(([name, setting]) => {
    const value = settings[name];
    const isDeclared = entry[name] !== undefined;
    return value === undefined ? [] : problem(placeAt(node, isDeclared ? [name] : []), setting.problemOf?.(value));
  });
}

function problem(place: Place, reason: string | undefined): Problem[] {
  return reason ? [{ ...place, reason }] : [];
}

function buildProblem(build: string | undefined, known: readonly string[]): string | undefined {
  if (build === undefined || known.includes(build)) return undefined;
  return `is not a key of builds${didYouMean(build, known)}`;
}
