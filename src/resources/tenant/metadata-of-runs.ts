import { isDeepStrictEqual } from "node:util";
import type { JsonObject } from "../../json/json-value.ts";
import { formatPath, partOf } from "../../json/key-path.ts";
import { shortList } from "../../json/short-list.ts";
import type { OperationContext } from "../../operation/operation-context.ts";
import { readMetadata } from "../../operation/read-metadata.ts";
import { runEndedSince, type SettledMetadata, settledMetadata } from "../../operation/settled-metadata.ts";
import { neverRan } from "../../operation/tenant-connection.ts";
import type { SettingPath } from "../../settings/reveal.ts";
import type { Observed } from "../../settings/setting.ts";
import type { Desired } from "./desired.ts";
import { describeTenant, type ObservedTenant, withSeen } from "./observed-tenant.ts";
import { reasonToWait } from "./waiting.ts";

/** A tenant whose metadata has just been read, to be written as a whole. */
export interface ReadForWrite {
  tenant: ObservedTenant;
  /** What the read has shown of runs; absent if the tenant can have none. */
  settled?: SettledMetadata | undefined;
}

/** Reads the metadata immediately before it is written as a whole. If the tenant may have a run, that must not be about to end. */
export async function readForWrite(context: OperationContext, tenant: ObservedTenant): Promise<ReadForWrite> {
  const { id, isRead, integration } = tenant;
  const { tenants } = integration;
  if (reasonToWait(tenant, integration) !== undefined) {
    const metadata = isRead ? undefined : await readMetadata(context, tenants, id);
    return { tenant: metadata === undefined ? tenant : withSeen(tenant, { metadata }) };
  }
  const settled = await settledMetadata(context, tenants, id);
  return settled === undefined ? { tenant } : { tenant: withSeen(tenant, { metadata: settled.metadata }), settled };
}

/**
 * Warns if a run has ended while the metadata was written as a whole: what it wrote may be lost. That takes a run that begins and
 * ends within the time of two requests.
 */
export async function warnOfRunMeanwhile(
  context: OperationContext,
  { settings: { metadata: declared = {} } }: Pick<Desired, "settings">,
  { tenant, settled }: { tenant: ObservedTenant; settled: SettledMetadata },
): Promise<void> {
  const run = await runEndedSince(context, tenant.integration.tenants, tenant.id, settled);
  const others = Object.keys(settled.metadata).filter((key) => !Object.hasOwn(declared, key));
  if (run === undefined || others.length === 0) return;
  const keys = shortList(others.map((key) => formatPath(["metadata", key])));
  context.warn(
    `${describeTenant(tenant)}: run ${run.id ?? "of an unknown id"} ended while its metadata was written. If the run wrote one of ${keys}, ` +
      "that has the value from before now, and the integration may do work twice: look at them in the console",
  );
}

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
