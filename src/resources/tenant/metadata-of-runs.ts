import { isDeepStrictEqual } from "node:util";
import type { JsonObject } from "../../json/json-value.ts";
import { formatPath, partOf } from "../../json/key-path.ts";
import type { OperationContext } from "../../operation/operation-context.ts";
import { neverRan } from "../../operation/tenant-connection.ts";
import type { SettingPath } from "../../settings/reveal.ts";
import type { Observed } from "../../settings/setting.ts";
import type { Desired } from "./desired.ts";
import type { ObservedTenant } from "./observed-tenant.ts";

/**
 * Tells the user, once for each key, of declared metadata that has changed since `up` wrote it: the runs of the integration probably
 * write it too, and each `up` writes an old value back.
 */
export function noteKeysOfRuns(
  { note }: Pick<OperationContext, "note">,
  { tenant }: Pick<Observed, "tenant">,
  keys: readonly string[],
): void {
  if (neverRan(tenant)) return;
  for (const key of keys) {
    note(
      `${formatPath(["metadata", key])} of a tenant has changed since up wrote it. If the integration writes this key itself, leave ` +
        "it out, or use ignoreChanges: each up writes the declared value back",
    );
  }
}

/** The keys of stored metadata that have another value now. */
export function changedKeys(stored: JsonObject = {}, now: JsonObject = {}): string[] {
  return Object.entries(stored).flatMap(([key, before]) => {
    const value = partOf(now, key);
    return value === undefined || isDeepStrictEqual(value, before) ? [] : [key];
  });
}

/** The keys of metadata that are declared as before, and that somebody else has changed. */
export function changedWithoutUs(
  { settings: { metadata = {} } }: Pick<Desired, "settings">,
  { pending, tenant: { history } }: { pending: readonly SettingPath[]; tenant: ObservedTenant },
): string[] {
  const { stored, before } = history;
  if (before.metadata !== undefined) return []; // this operation has written them
  const keys = pending.flatMap(([name, key]) => (name === "metadata" && key !== undefined ? [key] : []));
  const isAsBefore = (key: string) => isDeepStrictEqual(partOf(stored.metadata, key), partOf(metadata, key));
  return keys.filter((key) => Object.hasOwn(metadata, key) && isAsBefore(key));
}
