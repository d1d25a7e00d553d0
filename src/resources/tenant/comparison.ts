import { isDeepStrictEqual } from "node:util";
import type { Tenant } from "../../api/index.ts";
import { isJsonObject, type JsonObject, type JsonValue } from "../../json/json-value.ts";
import { distinctPaths, partOf, valueAt, withPart } from "../../json/key-path.ts";
import { withoutInexactNumbers } from "../../json/number-sources.ts";
import { isPlaceholder, tombstone } from "../../secrets/placeholders.ts";
import { referenceKey } from "../../secrets/reference.ts";
import { differing, hasReference, referencesIn } from "../../secrets/walk.ts";
import { pathsWithin, remainingKeys } from "../../settings/declared-keys.ts";
import type { NotCompared, SettingPath } from "../../settings/reveal.ts";
import type { Comparison, Observed, Pending } from "../../settings/setting.ts";
import { pairsToKeep } from "../../settings/shown-as.ts";
import {
  type AnySetting,
  type KeysName,
  keysEntries,
  type SettingName,
  type SettingValue,
  type SomeSettings,
  settingEntries,
  settingsFrom,
  settingsOf,
  tenantSettings,
} from "../../settings/table.ts";
import type { Desired } from "./desired.ts";
import { isWritten, type KeptHistory, type ObservedTenant } from "./observed-tenant.ts";
import { allWaiting, stillWaiting } from "./waiting.ts";

/** The part of the desired settings that a read needs for a comparison. */
export type Declared = Pick<Desired, "settings" | "schemas" | "secrets" | "secretPaths" | "waiting">;

/**
 * The observed settings, and the paths of the pending changes, such as `["schedule"]` and `["configs", "region"]`. A value is pending
 * unless {@link observedSettings} returns it as declared. It does so for an equal value, for a known form of the platform's own
 * (`history.shownAs`), and for a hidden secret (`history.unreadablePaths`) whose last written value is the declared one.
 */
export async function compare(desired: Desired, tenant: ObservedTenant) {
  const settings = await observedSettings(desired, tenant);
  return { settings, pending: pendingChanges(desired, tenant, settings) };
}

/** The observed values of the declared settings; the declared value where both are equal, or where it waits for the customer. */
export async function observedSettings(declared: Declared, tenant: ObservedTenant): Promise<SomeSettings> {
  await declared.secrets.load();
  const waiting = stillWaiting(declared.settings, tenant);
  const entries = settingEntries.map(async ([name, setting]) => {
    if (waiting?.some(({ path: [first] }) => first === name)) return [name, declared.settings[name]] as const;
    const comparison = comparisonOf(name, declared, tenant);
    return [name, comparison && (await setting.observe(comparison))] as const;
  });
  return settingsFrom(await Promise.all(entries));
}

/** The paths where the platform hides declared values and the last written ones replace them; `undefined` if none. */
export function unreadablePaths(declared: Declared, tenant: ObservedTenant): string[][] | undefined {
  const found = pathsNotCompared(declared, tenant, "hidden");
  return found.length === 0 ? undefined : found;
}

/** The paths of references to secrets that have no value, where the platform does not hide the live value. */
export function unresolvedPaths(declared: Declared, tenant: ObservedTenant): string[][] {
  return pathsNotCompared(declared, tenant, "unresolved");
}

/** The values of the references must be loaded, as {@link observedSettings} does. */
function pathsNotCompared(declared: Declared, tenant: ObservedTenant, wanted: NotCompared): string[][] {
  return settingEntries.flatMap(([name, setting]) => {
    const comparison = comparisonOf(name, declared, tenant);
    const paths = (comparison && setting.pathsNotCompared?.(comparison)) ?? [];
    return paths.flatMap(({ path, why }) => (why === wanted ? [[name, ...path]] : []));
  });
}

function comparisonOf(
  name: SettingName,
  { settings, schemas, secrets }: Declared,
  { integration, history, ...observed }: ObservedTenant,
): Comparison<SettingValue> | undefined {
  const declared = settings[name];
  if (declared === undefined) return undefined;
  return {
    declared,
    lastKnown: history.lastKnown[name],
    observed,
    schemas,
    unreadable: pathsWithin(name, history.unreadablePaths),
    shownAs: history.shownAs,
    platform: integration.platform,
    releases: integration.releases,
    secrets,
  };
}

function pendingChanges(desired: Desired, tenant: ObservedTenant, seen: SomeSettings): SettingPath[] {
  const differing = settingEntries.flatMap(([name, setting]) => {
    const paths = pathsOf(setting, pendingOf(name, desired, tenant, seen));
    return paths.map((path) => [name, ...path]);
  });
  return [...differing, ...unseenRemovals(desired, tenant)];
}

/**
 * The paths of secrets that were written and are no longer declared, and that reads do not show: neither before a write removes
 * them nor after it. They count as removed once a write without them has succeeded.
 */
export function unseenRemovals(
  { settings, removed, schemas }: Pick<Desired, "settings" | "removed" | "schemas">,
  tenant: ObservedTenant,
): SettingPath[] {
  const { unreadablePaths, lastKnown } = tenant.history;
  return keysEntries.flatMap(([name, { live, schemaOf }]) => {
    const [declared, known, shown, schema] = [
      settings[name] ?? {},
      lastKnown[name] ?? {},
      live(tenant),
      schemaOf(schemas),
    ];
    const keys = (removed[name] ?? []).filter((key) => Object.hasOwn(known, key));
    // a tombstone: sent by an update or a create that failed, and perhaps left out of reads
    const failed = keys.filter((key) => known[key] === tombstone && schema.isHidden([key])).map((key) => [key]);
    const paths = [...pathsWithin(name, unreadablePaths), ...failed].flatMap((path): SettingPath[] => {
      const [key = ""] = path;
      if (Object.hasOwn(declared, key)) return removedParts(path, valueAt(known, path), valueAt(declared, path));
      return keys.includes(key) ? [[key]] : [];
    });
    const isShown = (path: SettingPath) =>
      path.length === 1
        ? remainingKeys({ removed: path, schema }, shown).length > 0
        : valueAt(shown, path) !== undefined;
    return distinctPaths(paths.filter((path) => !isShown(path))).map((path) => [name, ...path]);
  });
}

/** The paths of the parts of a value that another one lacks. */
function removedParts(path: SettingPath, before: JsonValue | undefined, now: JsonValue | undefined): SettingPath[] {
  if (before === undefined) return [];
  if (now === undefined) return [path];
  if (!isJsonObject(before) || !isJsonObject(now)) return [];
  if (hasReference(before, path) || hasReference(now, path)) return [];
  return Object.keys(before).flatMap((key) => removedParts([...path, key], before[key], partOf(now, key)));
}

function pathsOf(setting: AnySetting, pending: Pending<SettingValue>): SettingPath[] {
  if (setting.pendingPaths !== undefined) return setting.pendingPaths(pending);
  return pending.declared === undefined || isDeepStrictEqual(pending.declared, pending.seen) ? [] : [[]];
}

/** The paths where a live tenant differs from one that a POST would create. */
export async function unlikeCreated(desired: Desired, tenant: ObservedTenant): Promise<SettingPath[]> {
  const seen = await observedSettings(desired, tenant);
  return settingEntries.flatMap(([name, setting]) => {
    const pending = pendingOf(name, desired, tenant, seen);
    const paths = setting.unlikeCreated?.(pending) ?? pathsOf(setting, pending);
    return paths.map((path) => [name, ...path]);
  });
}

function pendingOf(
  name: SettingName,
  { settings, removed, schemas }: Desired,
  { tenant, metadata }: Observed,
  seen: SomeSettings,
): Pending<SettingValue> {
  const observed = { tenant, metadata };
  return { declared: settings[name], seen: seen[name], removed: removed[name] ?? [], observed, schemas };
}

/** Whether each declared key of the free-form settings has exactly the declared value. */
export function areKeysAsDeclared(settings: SomeSettings, observed: Observed): boolean {
  const areThere = (declared: JsonObject, live: JsonObject) =>
    Object.entries(declared).every(([key, value]) => isDeepStrictEqual(partOf(live, key), value));
  return keysEntries.every(
    ([name, { live }]) =>
      settings[name] === undefined || areThere(settings[name], withoutInexactNumbers(live(observed))),
  );
}

/** The keys of a free-form setting that must be removed and still exist. */
export function keysToRemove(
  { removed, schemas }: Pick<Desired, "removed" | "schemas">,
  observed: Observed,
  of: KeysName,
) {
  const { live, schemaOf } = tenantSettings[of];
  return remainingKeys({ removed: removed[of] ?? [], schema: schemaOf(schemas) }, live(observed));
}

/** What the state stores of settings that were applied, or of which some could not be applied. */
export async function settingsToStore(
  desired: Desired,
  { settings, tenant }: { settings?: SomeSettings | undefined; tenant: ObservedTenant },
): Promise<{ settings: SomeSettings; kept: KeptHistory }> {
  if (settings !== undefined) return { settings, kept: keptHistory(desired, tenant) };
  const incomplete = await withTombstones(desired, tenant);
  return { settings: incomplete, kept: keptHistory({ ...desired, settings: incomplete }, tenant) };
}

/** What the state stores of the history of a tenant's writes. */
export function keptHistory(declared: Declared, tenant: ObservedTenant): KeptHistory {
  const { settings } = declared;
  const references = keysEntries.flatMap(([name]) =>
    referencesIn(settings[name], []).map(({ path }) => [name, ...path]),
  );
  const isDeclared = ([name = "", key]: SettingPath) =>
    valueAt(settings, key === undefined ? [name] : [name, key]) !== undefined;
  const hidden = unreadablePaths(declared, tenant);
  const secrets = [...declared.secretPaths, ...references, ...(hidden ?? [])];
  const shownAs = pairsToKeep(tenant.history.shownAs, isDeclared, secrets);
  return {
    unreadablePaths: hidden,
    shownAs: Object.keys(shownAs).length === 0 ? undefined : shownAs,
    waitingFor: allWaiting(declared, tenant),
  };
}

/**
 * The observed settings, with a tombstone for each value that must be removed and still exists or may exist, and for each that
 * was sent and of which no read tells whether it arrived.
 */
async function withTombstones(desired: Desired, tenant: ObservedTenant): Promise<SomeSettings> {
  const settings = withFormerReferences(await observedSettings(desired, tenant), desired, tenant);
  const unseen = unseenRemovals(desired, tenant);
  const left = keysEntries.flatMap(([name]): [KeysName, JsonObject][] => {
    const seen: JsonObject = settings[name] ?? {};
    // what a write answers does not show what is left
    const keys = tenant.isRead ? keysToRemove(desired, tenant, name) : (desired.removed[name] ?? []);
    const { lastKnown, unreadablePaths: hiddenPaths } = tenant.history;
    const sent = !isWritten(tenant.history, name) ? [] : Object.entries(desired.settings[name] ?? {});
    const hidden = new Set(pathsWithin(name, hiddenPaths).map(([key]) => key));
    const isShown = (key: string, value: JsonValue) =>
      hidden.has(key) ? isDeepStrictEqual(partOf(lastKnown[name], key), value) : Object.hasOwn(seen, key);
    const unshown = sent.filter(([key, value]) => !isPlaceholder(value, [key]) && !isShown(key, value));
    const paths = [...[...keys, ...unshown.map(([key]) => key)].map((key) => [key]), ...pathsWithin(name, unseen)];
    return paths.length === 0 ? [] : [[name, paths.reduce((all, path) => withPart(all, path, tombstone), seen)]];
  });
  return settingsOf({ ...settings, ...settingsFrom(left) });
}

/**
 * The observed settings with the stored references in place of what may be their values: a value whose reference is no longer
 * declared cannot be recognized.
 */
function withFormerReferences(
  observed: SomeSettings,
  { settings }: Pick<Desired, "settings">,
  { history: { stored } }: ObservedTenant,
): SomeSettings {
  const changed = keysEntries.flatMap(([name]): [KeysName, JsonObject][] => {
    const entries = Object.entries(observed[name] ?? {}).map(([key, seen]): [string, JsonValue] => {
      const [former, declared] = [partOf(stored[name], key), partOf(settings[name], key)];
      if (former === undefined || isDeepStrictEqual(seen, declared)) return [key, seen];
      const known = new Set(referencesIn(declared, [key]).map(({ reference }) => referenceKey(reference)));
      const isFormer = referencesIn(former, [key]).some(({ reference }) => !known.has(referenceKey(reference)));
      return [key, isFormer ? differing(former, [key]) : seen];
    });
    return observed[name] === undefined ? [] : [[name, Object.fromEntries(entries)]];
  });
  return settingsOf({ ...observed, ...settingsFrom(changed) });
}

/**
 * Warns about declared settings that cannot be compared, because the platform omitted a field without a documented
 * default. The last written value is assumed for such a setting. Each warning is shown once.
 */
export function warnOfAbsentFields(
  { warn }: { warn: (message: string) => void },
  settings: SomeSettings,
  tenant: Tenant,
): void {
  for (const [name, setting] of settingEntries) {
    const declared = settings[name];
    const field = declared === undefined ? undefined : setting.absentField?.(declared, tenant);
    if (field === undefined) continue;
    warn(
      `the platform omits ${field} in tenants, so a declared ${name} cannot be compared. ` +
        "Its last written value is assumed, and changes made outside of Pulumi are not detected",
    );
  }
}
