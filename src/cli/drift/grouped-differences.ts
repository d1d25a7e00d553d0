import type { JsonValue } from "../../json/json-value.ts";
import type { KnownDrift } from "./history.ts";
import { knownText } from "./known-times.ts";
import { cellsOf, type DriftRow, rowOf } from "./render.ts";
import { type Difference, tenantKeyOf } from "./tenant-differences.ts";

/** A tenant of a report, and the id of its part of the page. */
export interface ReportedTenant {
  name: DriftRow[0];
  anchor: string;
  differences: Difference[];
}

/** The tenants that differ in the same way: the same field, the same declared and the same actual value. */
export interface SameDifference<Tenant = ReportedTenant> {
  field: string;
  declared: string;
  actual: string;
  /** Since when a run knows it; `undefined` without a history. */
  known: string | undefined;
  tenants: Tenant[];
}

/** The tenants with their differences, by name. */
export function reportedTenants(differences: readonly Difference[]): ReportedTenant[] {
  const groups = Map.groupBy(differences, anchorOf);
  const tenants = [...groups.entries()].map(([anchor, ofTenant]) => {
    const [name = ""] = ofTenant.map((difference) => rowOf(difference)[0]);
    return { name, anchor, differences: ofTenant };
  });
  return tenants.sort((left, right) => (left.name < right.name ? -1 : 1));
}

/** The differences with one cause, those of most tenants first. */
export function sameDifferences(
  tenants: readonly ReportedTenant[],
  cause: Difference["changedOn"],
  history: KnownDrift | undefined,
): SameDifference[] {
  const all = tenants.flatMap((tenant) => tenant.differences.map((difference) => ({ tenant, difference })));
  const ofCause = all.filter(({ difference }) => difference.changedOn === cause);
  const groupable = ofCause.map(({ tenant, difference }) => {
    return { ...difference, tenant, field: difference.path, cells: rowOf(difference) };
  });
  return grouped(groupable, history);
}

/** What the run before found and this one did not, that of most tenants first. The tenants are names. */
export function goneDifferences(history: KnownDrift): SameDifference<string>[] {
  const groupable = history.gone.map((finding) => {
    const cells = cellsOf(finding);
    return { ...finding, tenant: cells[0], cells };
  });
  return grouped(groupable, history);
}

interface Groupable<Tenant> extends Pick<Difference, "isSecret" | "firstFoundAt"> {
  tenant: Tenant;
  declared?: JsonValue | undefined;
  actual?: JsonValue | undefined;
  field?: unknown;
  cells: DriftRow;
}

function grouped<Tenant>(
  differences: readonly Groupable<Tenant>[],
  history: KnownDrift | undefined,
): SameDifference<Tenant>[] {
  // The whole values, because the shown ones are shortened.
  const groups = Map.groupBy(differences, ({ field, declared, actual, isSecret }) =>
    JSON.stringify([
      field ?? null,
      declared ?? null,
      declared === undefined,
      actual ?? null,
      actual === undefined,
      isSecret,
    ]),
  );
  const same = [...groups.values()].flatMap((group) => {
    const [cells] = group.slice(0, 1).map((one) => one.cells);
    if (cells === undefined) return [];
    const [, field, declared, actual] = cells;
    const known = history && knownText(group, history);
    return [{ field, declared, actual, known, tenants: group.map(({ tenant }) => tenant) }];
  });
  return same.sort((left, right) => right.tenants.length - left.tenants.length);
}

/** Letters, digits, `-` and `_`: an id of an element, which a link can name without escapes. */
function anchorOf(difference: Difference): string {
  const key = tenantKeyOf(difference);
  if (difference.tenantId !== undefined) return `tenant-${key}`;
  return `new-${key.replace(/[^a-z0-9-]/gi, (character) => `_${character.codePointAt(0)?.toString(16)}_`)}`;
}
