import { defined } from "../../json/defined.ts";
import type { Override } from "../../settings/override.ts";
import { formatPath } from "../property-path.ts";
import type { KnownDrift } from "./history.ts";
import { type PlannedArchive, plannedArchives } from "./planned-archives.ts";
import type { PreviewedStack } from "./preview.ts";
import { type PreviewedTenant, previewedTenants } from "./previewed-tenants.ts";
import { type Difference, differencesOf, identityOf, replacement, tenantKeyOf } from "./tenant-differences.ts";

/** Where the platform differs from what a stack declares. */
export interface Drift {
  stack: string;
  /** How many tenants were compared. */
  tenants: number;
  /** How many declared values could not be compared, because the platform hides them. */
  valuesNotCompared: number;
  /** How many tenants wait for their customers: they stay paused until these connect them. Absent if none. */
  tenantsWaiting?: number;
  /** How many tenants wait for an init sync, which finds what may be chosen for one of their configs. Absent if none. */
  tenantsWithoutOptions?: number;
  /** How many declared values could not be compared, because their secrets could not be resolved. Absent if none. */
  valuesNotResolved?: number;
  /** Those that somebody made on the platform come first. */
  differences: Difference[];
  /** The tenants that `pulumi up` would archive, or would refuse to archive. */
  archives: PlannedArchive[];
  /** The overrides that are applied, those of most tenants first. */
  overrides: AppliedOverride[];
  /** What earlier runs found. Only with a history. */
  history?: KnownDrift;
}

/** An override, and how many tenants it pauses. */
export interface AppliedOverride extends Pick<Override, "reason" | "until"> {
  tenants: number;
}

/** Finds the drift in a preview of a stack. */
export function findDrift({ stack, resources, refusals, valuesNotResolved, time }: PreviewedStack): Drift {
  const tenants = withNames(resources.flatMap(previewedTenants));
  const archives = plannedArchives(tenants, refusals);
  const archived = new Set<number | undefined>(archives.map(({ tenantId }) => tenantId));
  const differences = tenants
    .filter(({ resource }) => resource.operation !== "same" || resource.isImported)
    .flatMap((tenant) => {
      const found = differencesOf(tenant, time);
      return found.length > 0 || archived.has(tenant.tenantId) ? found : replacement(tenant);
    });
  const [tenantsWaiting, tenantsWithoutOptions] = (["connected", "options"] as const).map((event) =>
    tenants.reduce((sum, { waiting }) => sum + waiting[event], 0),
  );
  return {
    stack,
    tenants: new Set(tenants.map((tenant) => tenantKeyOf(identityOf(tenant)))).size,
    valuesNotCompared: tenants.reduce((sum, { valuesNotCompared }) => sum + valuesNotCompared, 0),
    ...(tenantsWaiting && { tenantsWaiting }),
    ...(tenantsWithoutOptions && { tenantsWithoutOptions }),
    ...(valuesNotResolved > 0 && { valuesNotResolved }),
    differences: differences.sort(byCauseAndName),
    archives: archives.sort((left, right) => (left.tenant < right.tenant ? -1 : 1)),
    overrides: appliedOverrides(tenants),
  };
}

/** Whether `up` would change nothing: no value differs, and no tenant is replaced for another reason. */
export function isInSync({ differences, archives }: Pick<Drift, "differences" | "archives">): boolean {
  return differences.length === 0 && archives.length === 0;
}

function appliedOverrides(tenants: readonly PreviewedTenant[]): AppliedOverride[] {
  const applied = tenants.flatMap(({ override }) => override ?? []);
  const same = Map.groupBy(applied, ({ reason, until }) => JSON.stringify([reason, until ?? null]));
  const counted = [...same.values()].flatMap((group): AppliedOverride[] =>
    group.slice(0, 1).map(({ reason, until }) => defined({ reason, until, tenants: group.length })),
  );
  return counted.sort((left, right) => right.tenants - left.tenants);
}

/** A `TenantMetadata` knows only the id of its tenant. If the stack declares that tenant too, its name is known from there. */
function withNames(tenants: readonly PreviewedTenant[]): PreviewedTenant[] {
  const named = tenants.filter(({ type }) => type !== "TenantMetadata");
  const names = new Map(named.map(({ tenantId, tenant }) => [tenantId, tenant]));
  return tenants.map((one) => ({
    ...one,
    tenant: one.tenantId === undefined ? one.tenant : (names.get(one.tenantId) ?? one.tenant),
  }));
}

function byCauseAndName(left: Difference, right: Difference): number {
  const keyOf = ({ changedOn, tenant, path = [] }: Difference) => [changedOn, tenant, formatPath(path)];
  const [one, other] = [keyOf(left), keyOf(right)];
  const index = one.findIndex((part, at) => part !== other[at]);
  return index < 0 ? 0 : (one[index] ?? "") < (other[index] ?? "") ? -1 : 1;
}
