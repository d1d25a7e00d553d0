import { ApiError, RateLimitError } from "../../api/index.ts";
import type { OperationContext } from "../../operation/operation-context.ts";
import { attempts } from "../../operation/poll.ts";
import { readMetadata } from "../../operation/read-metadata.ts";
import type { SettledMetadata } from "../../operation/settled-metadata.ts";
import { keysPatch, removalOf, removalWays } from "../../settings/patch-ways.ts";
import type { SettingPath } from "../../settings/reveal.ts";
import { isKeysName, type KeysName, type SomeSettings, settingEntries } from "../../settings/table.ts";
import { changedWithoutUs, noteKeysOfRuns } from "./changed-by-others.ts";
import { compare, warnOfAbsentFields } from "./comparison.ts";
import type { Desired } from "./desired.ts";
import { type Judged, judge } from "./judge.ts";
import { type ReadForWrite, readForWrite, warnOfRunMeanwhile } from "./metadata-of-runs.ts";
import { describeTenant, isWritten, type ObservedTenant, withSeen } from "./observed-tenant.ts";
import { mayBeLast, planWrites, type Step, type WritePlan } from "./plan.ts";
import { requireKept } from "./require-kept.ts";
import { notRemovable, notTaken, send } from "./send.ts";
import { requireResolved, writable } from "./unresolved-secrets.ts";
import { mayBeRefusedUnconnected, waitingToRun } from "./waiting.ts";

/** The result of applying settings: the tenant as last observed, and an error if not all settings are as desired. */
export type Applied =
  | { tenant: ObservedTenant; settings: SomeSettings; error?: undefined }
  | {
      tenant: ObservedTenant;
      settings?: undefined;
      error: unknown;
      /** Whether the platform has accepted a write, or may have, as its response was lost. Absent if nothing was sent. */
      isWritten?: boolean;
    };

const attemptsMaximum = 4;

/**
 * Applies settings to a tenant in at most four attempts. An attempt writes what is pending, reads until the outcome is known or the
 * consistency timeout has passed, and resumes the tenant if only that is left. Another attempt follows after a lost answer, to remove
 * keys with null, or to tell a form of the platform's own by a second write.
 *
 * The result has an error if the platform rejected a write, or did not take one that it accepted.
 */
export async function applySettings(
  context: OperationContext,
  desired: Desired,
  start: ObservedTenant,
): Promise<Applied> {
  const progress = { tenant: start };
  try {
    for (let attempt = 1; ; attempt += 1) {
      let lostAnswer = await writeFirst(context, desired, progress);
      let view = await observe(context, desired, progress, { isLost: lostAnswer !== undefined });
      await requireKept(context, desired, view.tenant);
      requireResolved(describeTenant(view.tenant), desired, view.pending);
      const [last] = view.plan.first.length === 0 ? view.plan.last : [];
      if (last !== undefined) {
        lostAnswer = await resume(context, desired, progress, last);
        view = await viewOf(context, desired, progress.tenant, { isFinalRead: true }); // resume has waited
      }
      if (view.pending.length === 0) {
        warnOfAbsentFields(context, view.settings, view.tenant.tenant);
        return { tenant: view.tenant, settings: view.settings };
      }
      requireNextAttempt(context, view, { lostAnswer, isLast: attempt >= attemptsMaximum });
      progress.tenant = { ...view.tenant, isRead: false }; // the last reads may have left out the metadata
    }
  } catch (error) {
    const { tenant } = progress;
    const isWritten = tenant.history.before !== start.history.before;
    // the state should have what the earlier writes have changed, which their answers may not tell
    const mayRead = isWritten && !tenant.isRead && !areAnswered(tenant) && isReachable(error);
    return { tenant: mayRead ? await readWhatCanBeRead(context, desired, tenant) : tenant, error, isWritten };
  }
}

/** The tenant as last observed. If an error ends the work, it shows what was written until then. */
interface Progress {
  tenant: ObservedTenant;
}

/**
 * Writes what is pending, except what is written last: first the fields of the tenant, then the metadata.
 *
 * @returns the error if an answer was lost. Then nothing more is sent before a read.
 */
async function writeFirst(
  context: OperationContext,
  desired: Desired,
  progress: Progress,
): Promise<ApiError | undefined> {
  const look = async () => {
    const view = await viewOf(context, desired, progress.tenant);
    progress.tenant = view.tenant;
    return view;
  };
  let view = await look();
  if (needsRead(view.plan, progress.tenant)) {
    for await (const { seen } of reads(context, desired, progress.tenant)) {
      progress.tenant = seen;
      break;
    }
    view = await look();
  }
  for (const endpoint of ["tenant", "metadata"] as const) {
    let settled: SettledMetadata | undefined;
    // the metadata may have changed during the previous step
    if (endpoint === "metadata" && stepOf(view.plan, endpoint)) {
      ({ tenant: progress.tenant, settled } = await withFreshMetadata(context, progress.tenant));
      view = await look();
      noteKeysOfRuns(context, view.tenant, changedWithoutUs(desired, view));
    }
    const step = stepOf(view.plan, endpoint);
    if (step === undefined) continue;
    const { tenant, lostAnswer } = await send(context, desired, progress.tenant, step);
    progress.tenant = tenant;
    if (settled !== undefined) await warnOfRunMeanwhile(context, desired, { tenant, settled });
    if (lostAnswer !== undefined) return lostAnswer;
    view = await look();
  }
  return undefined;
}

/** Reads the tenant until it shows all that was written, or until no later read can change the judgement. */
async function observe(
  context: OperationContext,
  desired: Desired,
  progress: Progress,
  { isLost }: { isLost: boolean },
): Promise<View> {
  let view = await viewOf(context, desired, progress.tenant);
  // a tenant is resumed only after a read
  const start = isLost || view.plan.last.length > 0 ? view.tenant : asAnswered(view.tenant);
  for await (const { seen, isLast } of reads(context, desired, start, unread(start))) {
    view = await viewOf(context, desired, seen, { isFinalRead: isLast && !isLost });
    progress.tenant = view.tenant;
    if (view.plan.first.length === 0 || isDecided(view)) break;
  }
  return view;
}

/**
 * A tenant as observed, with the changes that are still pending after what was accepted, and the writes for them. `left` is empty if
 * the tenant is not read, as only reads are judged.
 */
interface View extends Judged, Awaited<ReturnType<typeof compare>> {
  plan: WritePlan;
}

async function viewOf(
  context: OperationContext,
  desired: Desired,
  observed: ObservedTenant,
  { isFinalRead } = { isFinalRead: false },
): Promise<View> {
  let comparison = await compare(desired, observed);
  let judged: Judged = { tenant: observed, left: new Map() };
  if (observed.isRead && comparison.pending.length > 0) {
    judged = judge(context, desired, observed, comparison.pending, isFinalRead);
    // what was accepted is in the history now, by which compare takes the shown value for the declared one
    if (judged.tenant !== observed) comparison = await compare(desired, judged.tenant);
  }
  return { ...judged, ...comparison, plan: planWrites(desired, writable(desired, comparison.pending)) };
}

/** Whether no later read can change what the platform has made of the writes. */
function isDecided(view: View): boolean {
  return !view.left.has("open") && areWritten(view);
}

/** Whether this operation has written all that is pending, except what is written last. */
function areWritten({ pending, tenant: { history } }: View): boolean {
  const areOfWritten = ([setting]: SettingPath) =>
    settingEntries.some(([name]) => name === setting && isWritten(history, name));
  return pending.every((path) => areOfWritten(path) || mayBeLast(path));
}

function stepOf({ first }: WritePlan, endpoint: Step["endpoint"]): Step | undefined {
  return first.find((step) => step.endpoint === endpoint);
}

/**
 * Sends the write that resumes a tenant, and reads until it is shown. A tenant whose customer has not connected it may not be
 * resumed yet: if the platform refuses or ignores that, the tenant waits.
 *
 * @returns the error if the answer was lost.
 */
async function resume(
  context: OperationContext,
  desired: Desired,
  progress: Progress,
  step: Step,
): Promise<ApiError | undefined> {
  const waits = (tenant: ObservedTenant) => {
    const waiting = waitingToRun(tenant);
    if (waiting !== undefined) progress.tenant = waiting;
    return waiting !== undefined;
  };
  const before = progress.tenant;
  const isTaken = !["refused", "ignored"].includes(context.platform["paused.unconnected"] ?? "");
  if (!isTaken && waits(before)) return undefined;
  let sent: Awaited<ReturnType<typeof send>>;
  try {
    sent = await send(context, desired, before, step);
  } catch (error) {
    if (!mayBeRefusedUnconnected(error)) throw error;
    if (waits(await read(context, desired, { ...before, isRead: false }, "tenant"))) return undefined;
    throw error;
  }
  const isAnswered = sent.lostAnswer === undefined;
  progress.tenant = isAnswered ? asAnswered(sent.tenant) : sent.tenant;
  const isIgnored = isAnswered && sent.tenant.history.answered.tenant?.paused === true;
  for await (const { seen, isLast } of reads(context, desired, progress.tenant, "tenant")) {
    progress.tenant = seen;
    const { pending } = await compare(desired, seen);
    if (pending.length === 0 || ((isIgnored || (isLast && isAnswered)) && waits(seen))) break;
  }
  return sent.lostAnswer;
}

/** The tenant as read, if the platform's answers show what is stored and all that was written was answered so. */
function asAnswered(tenant: ObservedTenant): ObservedTenant {
  const { integration, history } = tenant;
  const isProven = integration.platform["answers.show"] === "stored" && Object.keys(history.before).length > 0;
  return isProven && areAnswered(tenant) ? { ...tenant, isRead: true } : tenant;
}

/** Whether the answers to the last writes of this operation have shown all that it has written. */
function areAnswered({ history }: ObservedTenant): boolean {
  return settingEntries.every(
    ([name, { write }]) => !isWritten(history, name) || history.answered[write.endpoint] !== undefined,
  );
}

/** What a read has to show: not the metadata if the platform's answers show what is stored, and one has shown it. */
function unread({ integration, history }: ObservedTenant): "tenant" | "tenant and metadata" {
  const isShown = integration.platform["answers.show"] === "stored" && history.answered.metadata !== undefined;
  return isShown ? "tenant" : "tenant and metadata";
}

/**
 * Throws what was not taken, what others write and what cannot be removed, unless another attempt may still help. What is open is
 * written again: without an answer that shows the value, only a second write tells a form of the platform's own from somebody
 * else's value. What remains is removed in the other way.
 */
function requireNextAttempt(
  { consistencyTimeoutSeconds: seconds }: OperationContext,
  view: View,
  { lostAnswer, isLast }: { lostAnswer: ApiError | undefined; isLast: boolean },
): void {
  const { tenant, pending, left } = view;
  if ((lostAnswer !== undefined || !areWritten(view)) && !isLast) return;
  if (lostAnswer !== undefined) throw lostAnswer;
  const [ignored, changed] = [left.get("not taken") ?? [], left.get("written by others") ?? []];
  if (ignored.length + changed.length > 0) throw notTaken(tenant, { ignored, changed }, seconds);
  const remains = left.get("remains") ?? [];
  if (remains.length > 0 && remains.every(([name]) => isKeysName(name) && areWaysTried(tenant, name)))
    throw notRemovable(tenant, remains);
  if (isLast) throw notTaken(tenant, { ignored: pending, changed: [] }, seconds);
}

/** Whether accepted writes have tried each way to remove keys of a free-form object. */
function areWaysTried({ integration: { platform }, history: { removals } }: ObservedTenant, name: KeysName): boolean {
  const tried = (removals[name] ?? []).map((removal) => removalOf(platform, name, removal));
  return removalWays.every((way) => tried.includes(removalOf(platform, name, way)));
}

/** Whether the platform is likely to answer another request after an error. */
function isReachable(error: unknown): boolean {
  if (error instanceof RateLimitError) return false;
  return !(error instanceof ApiError) || (error.status ?? 500) < 500;
}

/**
 * Whether a write needs a fresh read first. A free-form object is written as a whole, and someone may have changed it since
 * the operation listed the tenants. The metadata of a new tenant needs no read, unless others had the time to write it. And only a
 * read tells whether what the POST of a new tenant has set is really pending.
 */
function needsRead({ first }: WritePlan, { isRead, history, integration }: ObservedTenant): boolean {
  if (isRead) return false;
  const written = first.flatMap(({ settings }) => settings);
  return settingEntries.some(([name, { write }]) => {
    const isOfOthers = write.endpoint === "tenant" || history.mayBeChanged;
    const isWhole = isKeysName(name) && keysPatch(integration.platform, name) !== "merge";
    return written.includes(name) && (isWritten(history, name) || (isWhole && isOfOthers));
  });
}

/**
 * Yields reads of the tenant until the consistency timeout has passed. The last read begins after the timeout, because a
 * slow read that began earlier may return old data. If the given tenant comes from a read, it is yielded first.
 *
 * @param of what is read. The metadata needs no read if one has shown it and only the tenant was written since.
 */
async function* reads(
  context: OperationContext,
  desired: Desired,
  start: ObservedTenant,
  of: "tenant" | "tenant and metadata" = "tenant and metadata",
): AsyncGenerator<{ seen: ObservedTenant; isLast: boolean }> {
  let tenant = start;
  const pauses = { first: 0.1, longest: 2 };
  const { consistencyTimeoutSeconds: deadlineSeconds, signal } = context;
  for await (const { isLast } of attempts({ deadlineSeconds, pauses, signal })) {
    if (!tenant.isRead) tenant = await read(context, desired, tenant, of);
    if (tenant.isRead) yield { seen: tenant, isLast };
    else if (isLast) {
      throw new Error(
        `${describeTenant(tenant)} is not among the live tenants (GET /v2/tenants): somebody archived it, or the platform ` +
          "does not show it yet. Check it in the console, then run up again",
      );
    }
    tenant = { ...tenant, isRead: false };
  }
}

async function read(
  context: OperationContext,
  { settings, removed }: Desired,
  before: ObservedTenant,
  of: "tenant" | "tenant and metadata",
): Promise<ObservedTenant> {
  const { tenants } = before.integration;
  const isMetadataManaged = settings.metadata !== undefined || (removed.metadata ?? []).length > 0;
  const [tenant, metadata] = await Promise.all([
    tenants.fetchFresh(before.id),
    isMetadataManaged && of !== "tenant" ? readMetadata(context, tenants, before.id) : before.metadata,
  ]);
  if (tenant === undefined || metadata === undefined) return before;
  return { ...withSeen(before, { tenant, metadata }), isRead: true };
}

/** The tenant as read after a failure, as far as it can be read. */
async function readWhatCanBeRead(
  context: OperationContext,
  desired: Desired,
  tenant: ObservedTenant,
): Promise<ObservedTenant> {
  const whole = await read(context, desired, tenant, "tenant and metadata").catch(() => tenant);
  return whole.isRead ? whole : read(context, desired, tenant, "tenant").catch(() => tenant);
}

/** Reads the metadata again, as it may have changed while the previous step was written. */
async function withFreshMetadata(context: OperationContext, tenant: ObservedTenant): Promise<ReadForWrite> {
  const isWhole = keysPatch(context.platform, "metadata") !== "merge";
  return tenant.history.mayBeChanged && isWhole ? readForWrite(context, tenant) : { tenant };
}
