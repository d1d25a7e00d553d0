import { isDeepStrictEqual } from "node:util";
import { ApiError, type Client, type Tenant, type TenantPatch, ValidationError } from "../../api/index.ts";
import type { JsonObject, JsonValue } from "../../json/json-value.ts";
import { formatPath, partOf, valueAt } from "../../json/key-path.ts";
import { shortList } from "../../json/short-list.ts";
import type { OperationContext } from "../../operation/operation-context.ts";
import { pathsWithin } from "../../settings/declared-keys.ts";
import { withReleaseAlone } from "../../settings/release.ts";
import type { SettingPath } from "../../settings/reveal.ts";
import type { Change, Observed, Removal } from "../../settings/setting.ts";
import {
  keysEntries,
  type SettingName,
  type SettingValue,
  type SomeSettings,
  settingEntries,
  settingsFrom,
} from "../../settings/table.ts";
import { compare, unseenRemovals } from "./comparison.ts";
import type { Desired } from "./desired.ts";
import { requireNothingHidden } from "./hidden-values.ts";
import { describeTenant, type ObservedTenant, type WriteHistory, withSeen } from "./observed-tenant.ts";
import { planWrites, type Step } from "./plan.ts";

/** A key is no longer declared, but the platform offers no way to remove it. */
export class NotRemovableError extends Error {
  override readonly name = "NotRemovableError";
}

/**
 * Sends a write: one PATCH, or two if it removes values that no read shows. Its response does not verify the write, so the
 * returned tenant must be read again.
 *
 * @returns the error in `lostAnswer` if only a read can tell whether the write took effect.
 */
export async function send(
  context: OperationContext,
  desired: Desired,
  before: ObservedTenant,
  step: Step,
  removal: Removal,
): Promise<{ tenant: ObservedTenant; lostAnswer?: ApiError | undefined }> {
  for (const [name] of keysEntries) {
    if (step.settings.includes(name)) requireNothingHidden(context, desired, before, name);
  }
  const sent = { ...before, isRead: false, history: historyOf(step, desired, before) };
  const isInList = (path: SettingPath) =>
    path.some((_, at) => Array.isArray(valueAt(desired.settings, path.slice(0, at))));
  // a list is always replaced as a whole
  const unseen = unseenRemovals(desired, before).filter(
    (path) => step.settings.some((name) => name === path[0]) && !isInList(path),
  );
  try {
    const mayRemain = unseen.length > 0 && !(await sendNulls(context, desired, before, step, unseen));
    const seen = await requestOrNulls(context, desired, before, step, removal);
    if (mayRemain) context.warn(notVerified(before, unseen));
    const lastKnown = { ...sent.history.lastKnown, ...settingsOfStep(step, desired) };
    const written = { ...sent, history: { ...sent.history, lastKnown } };
    return { tenant: seen === undefined ? written : withSeen(written, seen) };
  } catch (error) {
    if (error instanceof ApiError && error.mayHaveBeenApplied) return { tenant: sent, lostAnswer: error };
    const isRemoval = removal === "send null" && keysEntries.some(([name]) => step.settings.includes(name));
    if (!isRemoval || !(error instanceof ValidationError)) throw error;
    throw notRemovable(before, (await compare(desired, before)).pending, error);
  }
}

/** The write history once a step is sent. A new release may hide other values, so it resets which values reads return. */
function historyOf(step: Step, desired: Desired, before: ObservedTenant): WriteHistory {
  const { history } = before;
  // a later write of the operation may begin when reads show the first one
  const beforeWrite = { ...changedParts(step, desired, before), ...history.beforeWrite };
  return { ...history, beforeWrite, readBack: step.settings.includes("release") ? {} : history.readBack };
}

function settingsOfStep({ settings }: Step, desired: Desired): SomeSettings {
  return Object.fromEntries(settings.map((name) => [name, desired.settings[name]]));
}

/** The live values in the places to which a step gives another value than the one that was last written. */
function changedParts({ settings }: Step, desired: Desired, before: ObservedTenant): SomeSettings {
  const { lastKnown } = before.history;
  const written = keysEntries.filter(([name]) => settings.includes(name));
  return settingsFrom(
    written.map(
      ([name, { live }]) => [name, partsThatChange(live(before), desired.settings[name], lastKnown[name])] as const,
    ),
  );
}

/** The parts of a live value where the declared one is another than the known one; a list as an object of its items. */
function partsThatChange(live: JsonObject | JsonValue[], declared?: JsonValue, known?: JsonValue): JsonObject {
  const parts = Object.entries(live).flatMap(([key, part]): [string, JsonValue][] => {
    const [now, before] = [partOf(declared, key), partOf(known, key)];
    if (isDeepStrictEqual(now, before)) return [];
    const hasParts = typeof part === "object" && part !== null && typeof before === "object" && before !== null;
    return [[key, hasParts ? partsThatChange(part, now, before) : part]];
  });
  return Object.fromEntries(parts);
}

/**
 * Sends a write with null for removed values that no read shows, before the write that leaves them out. A platform that takes a
 * merge patch removes them only with null. One that stores null loses the secrets, and the next write may remove the nulls.
 *
 * @returns whether the platform accepted it. A schema may refuse null.
 */
async function sendNulls(
  context: OperationContext,
  desired: Desired,
  before: ObservedTenant,
  step: Step,
  unseen: readonly SettingPath[],
): Promise<boolean> {
  try {
    await request(context, desired, before, step, "leave out", unseen);
    return true;
  } catch (error) {
    if (error instanceof ValidationError) return false;
    throw error;
  }
}

/**
 * Sends a write, and again with null for what it leaves out if the platform refuses it. A platform that takes a merge patch keeps
 * what a write leaves out, and the release's schema may not allow that beside the new values.
 */
async function requestOrNulls(
  context: OperationContext,
  desired: Desired,
  before: ObservedTenant,
  step: Step,
  removal: Removal,
): Promise<Partial<Observed> | undefined> {
  try {
    return await request(context, desired, before, step, removal);
  } catch (error) {
    const bodyWith = (one: Removal) => JSON.stringify(bodyOf(desired, before, step, one));
    if (!(error instanceof ValidationError) || bodyWith(removal) === bodyWith("send null")) throw error;
    try {
      return await request(context, desired, before, step, "send null");
    } catch (second) {
      throw second instanceof ValidationError ? error : second;
    }
  }
}

/** Returns what the platform answers of the tenant; `undefined` where it answers nothing. */
async function request(
  { client }: OperationContext,
  desired: Desired,
  before: ObservedTenant,
  step: Step,
  removal: Removal,
  unseen: readonly SettingPath[] = [],
): Promise<Partial<Observed> | undefined> {
  const body = bodyOf(desired, before, step, removal, unseen);
  if (step.endpoint === "metadata") return { metadata: (await client.metadata.update(before.id, body)).data };
  const answer = await patchTenant(client, before.id, body);
  return answer && { tenant: answer };
}

/** The body of a write. */
function bodyOf(
  desired: Desired,
  { tenant, metadata }: ObservedTenant,
  { endpoint, settings }: Step,
  removal: Removal,
  unseen: readonly SettingPath[] = [],
): JsonObject {
  const changes = settingEntries
    .filter(([name]) => settings.includes(name))
    .map(([name, { write }]) => ({ write, change: changeOf(name, desired, { tenant, metadata }, removal, unseen) }));
  if (endpoint === "tenant") {
    const fields = changes.map(({ write, change }) => (write.endpoint === "tenant" ? write.fields(change) : {}));
    return Object.assign({}, ...fields);
  }
  const data = changes.flatMap(({ write, change }) =>
    write.endpoint === "metadata" ? Object.entries(write.data(change)) : [],
  );
  return Object.fromEntries(data); // Object.assign would lose a key `__proto__`
}

function changeOf(
  name: SettingName,
  { settings, resolved, removed, schemas, secrets }: Desired,
  observed: Observed,
  removal: Removal,
  unseen: readonly SettingPath[],
): Change<SettingValue, unknown> {
  return {
    declared: settings[name],
    resolved: resolved[name],
    removed: removed[name] ?? [],
    observed,
    schemas,
    removal,
    unseen: pathsWithin(name, unseen),
    secrets,
  };
}

/** Sends a PATCH. It has both release fields, one of them null. If the platform rejects that, it is sent without the null. */
async function patchTenant(client: Client, id: number, patch: TenantPatch): Promise<Tenant | undefined> {
  try {
    return await client.tenants.update(id, patch);
  } catch (error) {
    const one = withReleaseAlone(patch);
    if (!(error instanceof ValidationError) || one === undefined) throw error;
    return client.tenants.update(id, one);
  }
}

/**
 * The error for settings that the platform accepted but no read shows.
 *
 * @param unchanged those of them that are secrets in whose place reads show what they showed before the write.
 */
export function notTaken(
  tenant: ObservedTenant,
  pending: readonly SettingPath[],
  unchanged: readonly SettingPath[],
  seconds: number,
): Error {
  const endpoints = new Set(planWrites({ settings: {} }, pending).first.map(({ endpoint }) => endpoint));
  const writes = [
    ...(endpoints.has("tenant") ? [`PATCH /v2/tenants/${tenant.id}`] : []),
    ...(endpoints.has("metadata") ? [`PATCH /v2/tenants/${tenant.id}/metadata`] : []),
  ];
  const hint =
    unchanged.length === 0
      ? ""
      : `. If it shows the same text there for every value, remove ${list(unchanged)} in the console first`;
  return new Error(
    `${describeTenant(tenant)}: the platform answered ${writes.join(" and ")} with success, ` +
      `but ${seconds} s later it has not applied ${list(pending)}. Check the tenant in the console, then run up again${hint}`,
  );
}

/** The warning for secrets in whose place reads show what they showed before the write. */
export function notShown(tenant: ObservedTenant, secrets: readonly SettingPath[]): string {
  return (
    `${describeTenant(tenant)}: the platform accepted ${list(secrets)}, but reads show the same in its place as before, so it is ` +
    "not known whether it has been applied. Check it in the console"
  );
}

/** The error for keys that are no longer declared but cannot be removed. */
export function notRemovable(
  tenant: ObservedTenant,
  pending: readonly SettingPath[],
  cause?: Error,
): NotRemovableError {
  return new NotRemovableError(
    `${describeTenant(tenant)}: the platform offers no way to remove undeclared keys of ${list(pending)}: ` +
      "neither omitting the key from the PATCH nor sending null removed it. Declare it again with the value that it should have",
    { cause },
  );
}

/** The warning for removed values that no read shows and for which the platform refuses null. */
function notVerified(tenant: ObservedTenant, unseen: readonly SettingPath[]): string {
  return (
    `${describeTenant(tenant)}: the removal of ${list(unseen)} cannot be verified: the platform hides such values in reads, and ` +
    "refuses null in their place. Check in the console that they are gone"
  );
}

function list(paths: readonly SettingPath[]): string {
  return shortList(paths.map((path) => formatPath(path)));
}
