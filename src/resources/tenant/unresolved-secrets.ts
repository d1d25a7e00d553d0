import { formatPath, valueAt } from "../../json/key-path.ts";
import { describeReference, isDiffering } from "../../secrets/reference.ts";
import { type Unresolved, unresolvedIn } from "../../secrets/secret-table.ts";
import type { SettingPath } from "../../settings/reveal.ts";
import { keysEntries, type SettingName } from "../../settings/table.ts";
import type { Desired } from "./desired.ts";

const shownMaximum = 3;

/** The pending changes that can be written: not those of a setting with a reference to a secret that has no value. */
export function writable(desired: Desired, pending: readonly SettingPath[]): SettingPath[] {
  const blocked = new Set<string | undefined>(
    unresolvedWrites(desired, namesOf(pending)).map(({ path: [name] }) => name),
  );
  return pending.filter(([name]) => !blocked.has(name));
}

/** Throws if a pending change cannot be written, because it refers to a secret that has no value. */
export function requireResolved(what: string, desired: Desired, pending: readonly SettingPath[]): void {
  const problem = describeUnresolved(desired, pending);
  if (problem !== undefined) throw new Error(`${what}: ${problem}`);
}

/** Why pending changes cannot be written, because they refer to secrets that have no value; `undefined` if they can. */
export function describeUnresolved(desired: Desired, pending: readonly SettingPath[]): string | undefined {
  const unresolved = unresolvedWrites(desired, namesOf(pending));
  if (unresolved.length === 0) return undefined;
  const shown = unresolved.slice(0, shownMaximum).map(({ path, reference, problem }) => {
    return `${formatPath(path)} refers to ${describeReference(reference)}, which cannot be resolved: ${problem}`;
  });
  const rest = unresolved.length - shown.length;
  const more = rest > 0 ? `; and ${rest} more` : "";
  return `${shown.join("; ")}${more}. Correct the reference or its source, then run up again`;
}

/** The references without a value in these settings, each of which is written as a whole. */
function unresolvedWrites({ settings, secrets }: Desired, names: ReadonlySet<SettingName | undefined>): Unresolved[] {
  return keysEntries.flatMap(([name]) => {
    if (!names.has(name)) return [];
    const unresolved = unresolvedIn(secrets, settings[name], []).filter(
      ({ path }) => !isDiffering(valueAt(settings[name], path), path), // ignored, so what the platform has stays
    );
    return unresolved.map((one) => ({ ...one, path: [name, ...one.path] }));
  });
}

function namesOf(pending: readonly SettingPath[]): ReadonlySet<SettingName | undefined> {
  const names = keysEntries.map(([name]) => name);
  return new Set(pending.map(([first]) => names.find((name) => name === first)));
}
