import { isDeepStrictEqual } from "node:util";
import { type JsonObject, type JsonValue, type Tenant, withoutInexactNumbers } from "../../api/index.ts";
import type { ReleaseSchema } from "../../json-schema/index.ts";
import type { Releases } from "../../snapshot/index.ts";
import { type KeyPath, observedKeys, partOf, remainingKeys, toBeRemoved } from "../declared-keys.ts";
import { defined } from "../defined.ts";
import { observedRelease, type ResolvedRelease } from "./release.ts";
import { isSameSchedule, noSchedule } from "./schedule.ts";
import type { TenantInputs } from "./schema.ts";

/** What of a tenant is managed: its name always, the rest where it is declared. */
export type Settings = Pick<TenantInputs, "name" | "schedule" | "release" | "paused" | "configs" | "metadata">;

/** The settings of something that has more. */
export function settingsOf({ name, schedule, release, paused, configs, metadata }: Settings): Settings {
  return defined({ name, schedule, release, paused, configs, metadata });
}

/** What a tenant is to become. */
export interface Desired {
  settings: Settings;
  /** The declared release as the API takes it. */
  release: ResolvedRelease | undefined;
  /** Keys that were declared before and no longer are. */
  removed: { configs: readonly string[]; metadata: readonly string[] };
  /** What was last written or seen: it stands in for what the platform hides, or does not answer. */
  lastKnown: Partial<Settings>;
  /** What the state tells of the last write; `undefined` where nothing of this tenant was ever written. */
  lastWrite?: LastWrite | undefined;
  /** Whether the platform leaves passwords out of reads. */
  leavesOut?: boolean | undefined;
  /** Whether the tenant was made just now: then it has nothing that nobody declared. */
  isNew?: boolean | undefined;
  /** The schemas of the release that the tenant is to run. */
  schemas: { configs: ReleaseSchema; metadata: ReleaseSchema };
}

/** What an earlier operation has written. */
export interface LastWrite {
  settings: Partial<Settings>;
  /** Where its values did not come back as they were written: `["configs", "api_token"]`. */
  unreadablePaths: readonly KeyPath[];
}

/** What was read of a tenant. */
export interface Observed {
  tenant: Tenant;
  /** Empty where no metadata is managed: then it is not read. */
  metadata: JsonObject;
}

type Comparison = Pick<Desired, "settings" | "lastKnown" | "schemas" | "lastWrite" | "leavesOut">;

/** The managed settings as they are on the platform, in the words of the declaration where they mean the same. */
export async function observedSettings(
  comparison: Comparison,
  releases: Releases,
  { tenant, metadata }: Observed,
): Promise<Settings> {
  const { settings, lastKnown } = comparison;
  const keys = (name: "configs" | "metadata", live: JsonObject) =>
    settings[name] && observedKeys(keysIn(comparison, name), live);
  const { schedule, release, paused } = settings;
  return defined({
    name: tenant.name,
    schedule: schedule === undefined ? undefined : observedSchedule(schedule, lastKnown.schedule, tenant),
    release: release && (await observedRelease(releases, release, lastKnown.release, tenant)),
    paused: paused === undefined ? undefined : tenant.paused,
    configs: keys("configs", tenant.configs),
    metadata: keys("metadata", metadata),
  });
}

/** Where the declared values are that the platform hides, so that what was last written stands in; none is `undefined`. */
export function unreadablePaths(comparison: Comparison, { tenant, metadata }: Observed): string[][] | undefined {
  const found: string[][] = [];
  const note = (name: string) => (path: KeyPath) => found.push([name, ...path]);
  if (comparison.settings.configs) observedKeys(keysIn(comparison, "configs"), tenant.configs, note("configs"));
  if (comparison.settings.metadata) observedKeys(keysIn(comparison, "metadata"), metadata, note("metadata"));
  return found.length === 0 ? undefined : found;
}

function keysIn({ settings, lastKnown, schemas, lastWrite, leavesOut }: Comparison, name: "configs" | "metadata") {
  const paths = lastWrite?.unreadablePaths ?? [];
  const unreadable = paths.flatMap(([first, ...path]) => (first === name ? [path] : []));
  return {
    declared: settings[name] ?? {},
    written: lastKnown[name] ?? {},
    schema: schemas[name],
    hiding: { lastWritten: lastWrite?.settings[name] ?? {}, unreadable, leavesOut },
  };
}

/** Whether each declared key of `configs` and `metadata` is there with just the declared value. */
export function areKeysAsDeclared({ configs = {}, metadata = {} }: Settings, observed: Observed): boolean {
  const isThere = (live: JsonObject) => (entry: [string, JsonValue]) =>
    isDeepStrictEqual(partOf(live, entry[0]), entry[1]);
  return (
    Object.entries(configs).every(isThere(withoutInexactNumbers(observed.tenant.configs))) &&
    Object.entries(metadata).every(isThere(withoutInexactNumbers(observed.metadata)))
  );
}

/** Paths of what is not as desired yet, for example `schedule` or `configs.region`; empty when all is done. */
export function unsettled(desired: Desired, settings: Settings, observed: Observed): string[] {
  const fields = (["name", "schedule", "release", "paused"] as const).filter(
    (field) => desired.settings[field] !== undefined && !isDeepStrictEqual(desired.settings[field], settings[field]),
  );
  const keys = (["configs", "metadata"] as const).flatMap((name) => {
    const declared = desired.settings[name] ?? {};
    const differing = Object.keys(declared).filter((key) => !isDeepStrictEqual(declared[key], settings[name]?.[key]));
    return [...differing, ...stillThere(desired, observed, name)].map((key) => `${name}.${key}`);
  });
  return [...fields, ...keys];
}

/** The keys that were to be removed and are still there. */
export function stillThere(
  { removed, schemas }: Pick<Desired, "removed" | "schemas">,
  { tenant, metadata }: Observed,
  name: "configs" | "metadata",
): string[] {
  const live = name === "configs" ? tenant.configs : metadata;
  return remainingKeys({ removed: removed[name], schema: schemas[name] }, live);
}

/** The settings as seen, and with them the keys that were to be removed and are still there. */
export function withRemovals(settings: Settings, desired: Desired, observed: Observed): Settings {
  const keys = (name: "configs" | "metadata") => {
    const left = stillThere(desired, observed, name).map((key) => [key, toBeRemoved]);
    return left.length === 0 ? settings[name] : { ...settings[name], ...Object.fromEntries(left) };
  };
  return defined({ ...settings, configs: keys("configs"), metadata: keys("metadata") });
}

/**
 * Tells the user, once for each field, which declared settings cannot be compared: the platform left out a field for which
 * the specification names no default. Such a setting counts as it was last written.
 */
export function warnOfAbsentFields(
  { warn }: { warn: (message: string) => void },
  { schedule, release }: Settings,
  { user_schedule, integration_release_id: id, integration_release_channel: channel }: Tenant,
): void {
  const warnOf = (setting: string, field: string) =>
    warn(
      `the platform leaves ${field} out of what it sends of a tenant: a declared ${setting} cannot be compared there, ` +
        "and counts as it was last written. A change by hand does not show",
    );
  if (schedule !== undefined && user_schedule === undefined) warnOf("schedule", "user_schedule");
  if (release === undefined) return;
  const isOnChannel = channel === "Latest" || channel === "Default";
  if (release.channel !== undefined && channel === undefined) warnOf("release", "integration_release_channel");
  if (release.channel === undefined && id === undefined && !isOnChannel) warnOf("release", "integration_release_id");
}

function observedSchedule(declared: string, lastKnown: string | undefined, { user_schedule }: Tenant) {
  if (user_schedule === undefined) return lastKnown;
  if (user_schedule === null || user_schedule.trim() === "") return noSchedule; // "" is no cron schedule
  return isSameSchedule(user_schedule, declared) ? declared : user_schedule;
}
