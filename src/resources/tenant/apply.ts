import { ApiError, RateLimitError } from "../../api/index.ts";
import type { OperationContext } from "../../operation/operation-context.ts";
import { attempts } from "../../operation/poll.ts";
import { readMetadata } from "../../operation/read-metadata.ts";
import { keysPatch, type Removal, removalOf } from "../../settings/patch-ways.ts";
import type { SettingPath } from "../../settings/reveal.ts";
import { isKeysName, type SomeSettings, settingEntries } from "../../settings/table.ts";
import { compare, warnOfAbsentFields } from "./comparison.ts";
import type { Desired } from "./desired.ts";
import { type Judged, judge, type Reading } from "./judge.ts";
import { describeTenant, type ObservedTenant, withSeen } from "./observed-tenant.ts";
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
 * Applies settings to a tenant: observes it, plans the writes, sends them, and judges by reads what the platform made of them, until
 * nothing is pending. Settings that must be written last, such as resuming the tenant, are written after a read has verified all
 * others.
 *
 * The result has an error if the platform rejected a write, or did not take one that it accepted.
 */
export async function applySettings(
  context: OperationContext,
  desired: Desired,
  start: ObservedTenant,
): Promise<Applied> {
  let tenant = start;
  let isWritten = false;
  let isAnswered = true;
  try {
    let removal: Removal = "leave out";
    let hasSentNull = false;
    let earlier: ObservedTenant | undefined;
    for (let attempt = 1; ; attempt += 1) {
      let reading = { hasSentNull, earlier };
      let view = await viewOf(context, desired, tenant, { ...reading, isWaitedFor: false });
      if (needsRead(view.plan, tenant)) {
        for await (const { seen } of reads(context, desired, tenant)) {
          view = await viewOf(context, desired, seen, { ...reading, isWaitedFor: false });
          break;
        }
      }

      let lostAnswer: ApiError | undefined;
      for (const endpoint of ["tenant", "metadata"] as const) {
        // the metadata may have changed during the previous step
        if (endpoint === "metadata" && lostAnswer === undefined && stepOf(view.plan, endpoint)) {
          const fresh = await withFreshMetadata(context, view.tenant);
          view = await viewOf(context, desired, fresh, { ...reading, isWaitedFor: false });
        }
        tenant = view.tenant;
        const step = stepOf(view.plan, endpoint);
        if (step === undefined || lostAnswer !== undefined) continue;
        const { tenant: sent } = tenant;
        ({ tenant, lostAnswer } = await send(context, desired, tenant, step, removal));
        isAnswered &&= endpoint === "metadata" || tenant.tenant !== sent;
        isWritten = true;
        view = await viewOf(context, desired, tenant, { ...reading, isWaitedFor: false });
      }
      hasSentNull = removal === "send null";
      reading = { hasSentNull, earlier };
      const isLost = lostAnswer !== undefined;
      // a tenant is resumed only after a read
      if (!isLost && view.plan.last.length === 0) tenant = asAnswered(tenant);
      for await (const { seen, isLast } of reads(context, desired, tenant, unread(tenant))) {
        tenant = seen;
        view = await viewOf(context, desired, seen, { ...reading, isWaitedFor: isLast && !isLost });
        if (view.plan.first.length === 0 || isDecided(view)) break;
      }
      tenant = view.tenant;
      await requireKept(context, desired, tenant);
      requireResolved(describeTenant(tenant), desired, view.pending);

      for (const step of view.plan.first.length === 0 ? view.plan.last : []) {
        isWritten = true;
        ({ tenant, lostAnswer } = await resume(context, desired, tenant, step));
        view = await viewOf(context, desired, tenant, { ...reading, isWaitedFor: true });
      }

      if (view.pending.length === 0) {
        warnOfAbsentFields(context, view.settings, tenant.tenant);
        return { tenant, settings: view.settings };
      }
      removal = nextRemoval(context, view, { removal, lostAnswer, isLast: attempt >= attemptsMaximum });
      earlier = tenant;
      tenant = { ...tenant, isRead: false }; // the last reads may have left out the metadata
    }
  } catch (error) {
    // the state should have what the earlier writes have changed, which their answers may not tell
    if (isWritten && !isAnswered && !tenant.isRead && isReachable(error)) {
      tenant = await read(context, desired, tenant, "tenant and metadata").catch(() => tenant);
      if (!tenant.isRead) tenant = await read(context, desired, tenant, "tenant").catch(() => tenant);
    }
    return { tenant, error, isWritten };
  }
}

/** A tenant as observed, with what of its settings is pending, what the judgement of a read left of that, and the next writes. */
interface View extends Judged, Awaited<ReturnType<typeof compare>> {
  plan: WritePlan;
}

async function viewOf(
  context: OperationContext,
  desired: Desired,
  observed: ObservedTenant,
  reading: Reading,
): Promise<View> {
  let comparison = await compare(desired, observed);
  let judged: Judged = { tenant: observed, left: new Map() };
  if (observed.isRead && comparison.pending.length > 0) {
    judged = judge(context, desired, observed, comparison.pending, reading);
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
  const isWritten = ([setting]: readonly string[]) =>
    settingEntries.some(([name]) => name === setting && history.before[name] !== undefined);
  return pending.every((path) => isWritten(path) || mayBeLast(path));
}

function stepOf({ first }: WritePlan, endpoint: Step["endpoint"]): Step | undefined {
  return first.find((step) => step.endpoint === endpoint);
}

/**
 * Sends the write that resumes a tenant, and reads until it is shown. A tenant whose customer has not connected it may not be
 * resumed yet: if the platform refuses or ignores that, the tenant waits.
 */
async function resume(
  context: OperationContext,
  desired: Desired,
  before: ObservedTenant,
  step: Step,
): Promise<{ tenant: ObservedTenant; lostAnswer?: ApiError | undefined }> {
  const isTaken = !["refused", "ignored"].includes(context.platform["paused.unconnected"] ?? "");
  const waitingNow = isTaken ? undefined : waitingToRun(before);
  if (waitingNow !== undefined) return { tenant: waitingNow };
  let sent: Awaited<ReturnType<typeof send>>;
  try {
    sent = await send(context, desired, before, step, "leave out");
  } catch (error) {
    if (!mayBeRefusedUnconnected(error)) throw error;
    const waiting = waitingToRun(await read(context, desired, { ...before, isRead: false }, "tenant"));
    if (waiting === undefined) throw error;
    return { tenant: waiting };
  }
  let tenant = sent.lostAnswer === undefined ? asAnswered(sent.tenant) : sent.tenant;
  const isIgnored = sent.lostAnswer === undefined && tenant.history.answered.tenant?.paused === true;
  for await (const { seen, isLast } of reads(context, desired, tenant, "tenant")) {
    tenant = seen;
    const { pending } = await compare(desired, tenant);
    if (pending.length === 0) break;
    const waiting = isIgnored || (isLast && sent.lostAnswer === undefined) ? waitingToRun(tenant) : undefined;
    if (waiting !== undefined) return { tenant: waiting };
  }
  return { ...sent, tenant };
}

/** The tenant as read, if the platform's answers show what is stored and all that was written was answered so. */
function asAnswered(tenant: ObservedTenant): ObservedTenant {
  const { integration, history } = tenant;
  const written = settingEntries.filter(([name]) => history.before[name] !== undefined);
  const areAnswered = written.every(([, { write }]) => history.answered[write.endpoint] !== undefined);
  const isProven = integration.platform["answers.show"] === "stored" && written.length > 0 && areAnswered;
  return isProven ? { ...tenant, isRead: true } : tenant;
}

/** What a read has to show: not the metadata if the platform's answers show what is stored, and one has shown it. */
function unread({ integration, history }: ObservedTenant): "tenant" | "tenant and metadata" {
  const isShown = integration.platform["answers.show"] === "stored" && history.answered.metadata !== undefined;
  return isShown ? "tenant" : "tenant and metadata";
}

/** How to remove keys with the next attempt. Throws if another attempt would not help. */
function nextRemoval(
  { consistencyTimeoutSeconds: seconds }: OperationContext,
  view: View,
  { removal, lostAnswer, isLast }: { removal: Removal; lostAnswer: ApiError | undefined; isLast: boolean },
): Removal {
  const { tenant, pending, left } = view;
  if ((lostAnswer !== undefined || !areWritten(view)) && !isLast) return removal;
  if (lostAnswer !== undefined) throw lostAnswer;
  const [ignored, changed] = [left.get("not taken") ?? [], left.get("written by others") ?? []];
  if (ignored.length + changed.length > 0) throw notTaken(tenant, { ignored, changed }, seconds);
  const remains = left.get("remains") ?? [];
  const { platform } = tenant.integration;
  const isTried = ([name]: SettingPath) =>
    (isKeysName(name) ? removalOf(platform, name, removal) : removal) === "send null";
  if (remains.length > 0 && remains.every(isTried)) throw notRemovable(tenant, remains);
  if (isLast) throw notTaken(tenant, { ignored: pending, changed: [] }, seconds);
  return remains.length > 0 ? "send null" : removal;
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
    return written.includes(name) && (history.before[name] !== undefined || (isWhole && isOfOthers));
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

/** Reads the metadata again, as it may have changed while the previous step was written. */
async function withFreshMetadata(context: OperationContext, tenant: ObservedTenant): Promise<ObservedTenant> {
  const isWhole = keysPatch(context.platform, "metadata") !== "merge";
  if (tenant.isRead || !tenant.history.mayBeChanged || !isWhole) return tenant;
  const metadata = await readMetadata(context, tenant.integration.tenants, tenant.id);
  return metadata === undefined ? tenant : withSeen(tenant, { metadata });
}
