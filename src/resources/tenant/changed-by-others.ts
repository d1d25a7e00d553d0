import { isDeepStrictEqual } from "node:util";
import type { JsonObject } from "../../json/json-value.ts";
import { formatPath, partOf } from "../../json/key-path.ts";
import type { OperationContext } from "../../operation/operation-context.ts";
import { neverRan } from "../../operation/tenant-connection.ts";
import type { SettingPath } from "../../settings/reveal.ts";
import type { Observed, Schemas } from "../../settings/setting.ts";
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

/**
 * Tells the user, once for each key, of declared configs that have changed since `up` wrote them and that the customer sees in the
 * form of the integration: the next `up` overwrites what the customer may have chosen.
 */
export function noteKeysOfForm(
  { note }: Pick<OperationContext, "note">,
  { configs: schema }: Schemas,
  keys: readonly string[],
): void {
  for (const key of keys) {
    if (schema.formFieldAt([key])?.isAdminOnly !== false) continue;
    note(
      `${formatPath(["configs", key])} of a tenant has changed since up wrote it, in the customer's form or the console. An up writes ` +
        "the declared value back. To leave it to the customer, do not declare it, or use ignoreChanges",
    );
  }
}

/** The keys of a stored object that have another value now. */
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
