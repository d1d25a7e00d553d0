import { ApiError, type Client, type Tenant, type TenantPatch, ValidationError } from "../../api/index.ts";
import type { JsonObject } from "../../json/json-value.ts";
import { formatPath, valueAt } from "../../json/key-path.ts";
import { shortList } from "../../json/short-list.ts";
import { whileBusy } from "../../operation/busy.ts";
import type { OperationContext } from "../../operation/operation-context.ts";
import type { PlatformAnswers } from "../../platform-profile/questions.ts";
import { pathsWithin } from "../../settings/declared-keys.ts";
import { keysPatch, otherRemoval, type Removal, removalOf } from "../../settings/patch-ways.ts";
import { withReleaseAlone } from "../../settings/release.ts";
import type { SettingPath } from "../../settings/reveal.ts";
import type { Change, Observed } from "../../settings/setting.ts";
import {
  isKeysName,
  type KeysName,
  keysEntries,
  type SettingName,
  type SettingValue,
  type SomeSettings,
  settingEntries,
} from "../../settings/table.ts";
import { compare, keysToRemove, unseenRemovals } from "./comparison.ts";
import type { Desired } from "./desired.ts";
import { describeTenant, isWritten, type ObservedTenant, type WriteHistory, withSeen } from "./observed-tenant.ts";
import { planWrites, type Step } from "./plan.ts";
import { requireNothingHidden } from "./protect.ts";
import { reasonToWait } from "./waiting.ts";

/** A key is no longer declared, but the platform offers no way to remove it. */
export class NotRemovableError extends Error {
  override readonly name = "NotRemovableError";
}

/**
 * Sends a write: one PATCH, or two if it removes values that no read shows, or in a way that the platform refuses. Its response does
 * not verify the write, so the returned tenant must be read again.
 *
 * @returns the error in `lostAnswer` if only a read can tell whether the write took effect.
 */
export async function send(
  context: OperationContext,
  desired: Desired,
  before: ObservedTenant,
  step: Step,
): Promise<{ tenant: ObservedTenant; lostAnswer?: ApiError | undefined }> {
  for (const [name] of keysEntries) {
    if (!step.settings.includes(name)) continue;
    requireNothingHidden(context, desired, before, name);
    const surplus = keysToRemove(desired, before, name);
    const isImpossible = context.platform[`${name}.removal`] === "none" && surplus.length > 0;
    if (isImpossible)
      throw notRemovable(
        before,
        surplus.map((key) => [name, key]),
      );
  }
  const sent = { ...before, isRead: false, history: sentHistory(step, before) };
  const isInList = (path: SettingPath) =>
    path.some((_, at) => Array.isArray(valueAt(desired.settings, path.slice(0, at))));
  // a list is always replaced as a whole
  const unseen = unseenRemovals(desired, before).filter(
    (path) => step.settings.some((name) => name === path[0]) && !isInList(path),
  );
  try {
    const mayRemain = unseen.length > 0 && !(await sendNulls(context, desired, before, step, unseen));
    const { seen, removal } = await requestEitherWay(context, desired, before, step);
    if (mayRemain) context.warn(notVerified(before, unseen));
    const { history } = sent;
    const removals = { ...history.removals };
    for (const name of keysOf(step)) removals[name] = [...(removals[name] ?? []), removal];
    const lastKnown = { ...history.lastKnown, ...settingsOfStep(step, desired) };
    const answered = { ...history.answered, ...seen };
    const written = { ...sent, history: { ...history, removals, lastKnown, answered } };
    return { tenant: seen === undefined ? written : withSeen(written, seen) };
  } catch (error) {
    if (error instanceof ApiError && error.mayHaveBeenApplied) return { tenant: sent, lostAnswer: error };
    throw error;
  }
}

function keysOf({ settings }: Step): KeysName[] {
  return settings.filter(isKeysName);
}

/** The history once a step is sent and not answered yet. */
function sentHistory({ endpoint, settings }: Step, { history, tenant, metadata }: ObservedTenant): WriteHistory {
  const before = Object.fromEntries(settings.map((name) => [name, { tenant, metadata }]));
  const again = settings.filter((name) => isWritten(history, name));
  const beforeLast = { ...history.beforeLast, ...Object.fromEntries(again.map((name) => [name, before[name]])) };
  const { [endpoint]: _, ...unanswered } = history.answered;
  return { ...history, before: { ...before, ...history.before }, beforeLast, answered: unanswered };
}

function settingsOfStep({ settings }: Step, desired: Desired): SomeSettings {
  return Object.fromEntries(settings.map((name) => [name, desired.settings[name]]));
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
 * Sends a write that leaves out the keys to remove, or that removes them in the other way than the last accepted one. If the platform
 * refuses it, the other way follows, unless that was accepted before: a platform that takes a merge patch keeps what a write leaves
 * out, and the release's schema may not allow that beside the new values.
 */
async function requestEitherWay(
  context: OperationContext,
  desired: Desired,
  before: ObservedTenant,
  step: Step,
): Promise<{ seen: Partial<Observed> | undefined; removal: Removal }> {
  const accepted = keysOf(step).flatMap((name) => before.history.removals[name] ?? []);
  const last = accepted.at(-1);
  const removal = last === undefined ? "leave out" : otherRemoval(last);
  const other = otherRemoval(removal);
  const bodyIn = (way: Removal) => JSON.stringify(bodyOf(desired, before, step, way));
  try {
    return { seen: await request(context, desired, before, step, removal), removal };
  } catch (error) {
    if (!(error instanceof ValidationError) || bodyIn(removal) === bodyIn(other)) throw error;
    if (accepted.includes(other)) throw notRemovable(before, (await compare(desired, before)).pending, error);
    try {
      return { seen: await request(context, desired, before, step, other), removal: other };
    } catch (second) {
      throw second instanceof ValidationError ? error : second;
    }
  }
}

/** Returns what the platform answers of the tenant; `undefined` where it answers nothing. */
async function request(
  context: OperationContext,
  desired: Desired,
  before: ObservedTenant,
  step: Step,
  removal: Removal,
  unseen: readonly SettingPath[] = [],
): Promise<Partial<Observed> | undefined> {
  const body = bodyOf(desired, before, step, removal, unseen);
  const { client } = context;
  const busy = { what: describeTenant(before), mayRun: reasonToWait(before, before.integration) === undefined };
  return whileBusy(context, busy, async () => {
    if (step.endpoint === "metadata") return { metadata: (await client.metadata.update(before.id, body)).data };
    const answer = await patchTenant(client, before.id, body);
    return answer && { tenant: answer };
  });
}

/** The body of a write. */
function bodyOf(
  desired: Desired,
  { tenant, metadata, integration: { platform }, history: { shownAs } }: ObservedTenant,
  { endpoint, settings }: Step,
  removal: Removal,
  unseen: readonly SettingPath[] = [],
): JsonObject {
  const changes = settingEntries
    .filter(([name]) => settings.includes(name))
    .map(([name, { write }]) => ({
      write,
      change: { ...changeOf(name, desired, { tenant, metadata }, unseen), ...waysOf(platform, name, removal), shownAs },
    }));
  if (endpoint === "tenant") {
    const fields = changes.map(({ write, change }) => (write.endpoint === "tenant" ? write.fields(change) : {}));
    return Object.assign({}, ...fields);
  }
  const data = changes.flatMap(({ write, change }) =>
    write.endpoint === "metadata" ? Object.entries(write.data(change)) : [],
  );
  return Object.fromEntries(data); // Object.assign would lose a key `__proto__`
}

/** How a PATCH changes a setting: what the profile says, and otherwise what this attempt tries. */
function waysOf(
  platform: PlatformAnswers,
  name: SettingName,
  removal: Removal,
): Pick<Change<unknown>, "patch" | "removal"> {
  if (!isKeysName(name)) return { patch: undefined, removal };
  return { patch: keysPatch(platform, name), removal: removalOf(platform, name, removal) };
}

function changeOf(
  name: SettingName,
  { settings, resolved, removed, schemas, secrets }: Desired,
  observed: Observed,
  unseen: readonly SettingPath[],
): Omit<Change<SettingValue, unknown>, "shownAs" | "patch" | "removal"> {
  return {
    declared: settings[name],
    resolved: resolved[name],
    removed: removed[name] ?? [],
    observed,
    schemas,
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

/** The error for settings that the platform accepted and did not take, or whose values reads show otherwise than its answer. */
export function notTaken(
  tenant: ObservedTenant,
  { ignored, changed }: { ignored: readonly SettingPath[]; changed: readonly SettingPath[] },
  seconds: number,
): Error {
  const pending = [...ignored, ...changed];
  const endpoints = new Set(planWrites({ settings: {} }, pending).first.map(({ endpoint }) => endpoint));
  const writes = [
    ...(endpoints.has("tenant") ? [`PATCH /v2/tenants/${tenant.id}`] : []),
    ...(endpoints.has("metadata") ? [`PATCH /v2/tenants/${tenant.id}/metadata`] : []),
  ];
  const problems = [
    ...(ignored.length > 0 ? [`${seconds} s later it has not applied ${list(ignored)}`] : []),
    ...(changed.length > 0
      ? [
          `its reads show another value of ${list(changed)} than was written: somebody else writes it, or the platform shows it in a ` +
            "form of its own and its answer does not",
        ]
      : []),
  ];
  return new Error(
    `${describeTenant(tenant)}: the platform answered ${writes.join(" and ")} with success, but ${problems.join(", and ")}. ` +
      "Check the tenant in the console, then run up again. If the platform always shows the value so, declare what it shows, or " +
      "measure the platform with integration-platform calibrate",
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
