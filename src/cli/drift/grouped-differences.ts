import { type DriftRow, rowOf } from "./render.ts";
import type { Difference } from "./tenant-differences.ts";

/** A tenant of a report, and the id of its part of the page. */
export interface ReportedTenant {
  name: DriftRow[0];
  anchor: string;
  differences: Difference[];
}

/** The tenants that differ in the same way: the same field, the same declared and the same actual value. */
export interface SameDifference {
  field: string;
  declared: string;
  actual: string;
  tenants: ReportedTenant[];
}

/** The tenants with their differences, by name. */
export function reportedTenants(differences: readonly Difference[]): ReportedTenant[] {
  const groups = Map.groupBy(differences, keyOf);
  const tenants = [...groups.entries()].map(([anchor, ofTenant]) => {
    const [name = ""] = ofTenant.map((difference) => rowOf(difference)[0]);
    return { name, anchor, differences: ofTenant };
  });
  return tenants.sort((left, right) => (left.name < right.name ? -1 : 1));
}

/** The differences with one cause, those of most tenants first. */
export function sameDifferences(tenants: readonly ReportedTenant[], cause: Difference["changedOn"]): SameDifference[] {
  const all = tenants.flatMap((tenant) => tenant.differences.map((difference) => ({ tenant, difference })));
  const ofCause = all.filter(({ difference }) => difference.changedOn === cause);
  // The whole values, because the shown ones are shortened.
  const groups = Map.groupBy(ofCause, ({ difference: { path, declared, actual, isSecret } }) =>
    JSON.stringify([
      path ?? null,
      declared ?? null,
      declared === undefined,
      actual ?? null,
      actual === undefined,
      isSecret,
    ]),
  );
  const same = [...groups.values()].flatMap((group) => {
    const [row] = group.slice(0, 1).map(({ difference }) => rowOf(difference));
    if (row === undefined) return [];
    const [, field, declared, actual] = row;
    return [{ field, declared, actual, tenants: group.map(({ tenant }) => tenant) }];
  });
  return same.sort((left, right) => right.tenants.length - left.tenants.length);
}

/** Letters, digits, `-` and `_`: an id of an element, which a link can name without escapes. */
function keyOf({ tenant, tenantId }: Difference): string {
  if (tenantId !== undefined) return `tenant-${tenantId}`;
  return `new-${tenant.replace(/[^a-z0-9-]/gi, (character) => `_${character.codePointAt(0)?.toString(16)}_`)}`;
}
