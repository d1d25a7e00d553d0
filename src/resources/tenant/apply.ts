import { isDeepStrictEqual } from "node:util";
import { ApiError, RateLimitError } from "../../api/index.ts";
import type { OperationContext } from "../../operation/operation-context.ts";
import { attempts } from "../../operation/poll.ts";
import { readMetadata } from "../../operation/read-metadata.ts";
import type { SettingPath } from "../../settings/reveal.ts";
import type { Removal } from "../../settings/setting.ts";
import { type SomeSettings, settingEntries } from "../../settings/table.ts";
import { compare, hasMoreLive, isRemovalOnly, unreadablePaths, warnOfAbsentFields } from "./comparison.ts";
import type { Desired } from "./desired.ts";
import {
  hasShown,
  isKnownToChange,
  isKnownToLeaveOut,
  isKnownToShow,
  noteHiding,
  noteShown,
  trustingWrites,
} from "./hidden-values.ts";
import { describeTenant, type ObservedTenant, withSeen } from "./observed-tenant.ts";
import { mayBeLast, planWrites, type WritePlan } from "./plan.ts";
import { notRemovable, notShown, notTaken, send } from "./send.ts";
import { requireResolved, writable } from "./unresolved-secrets.ts";

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

const roundsMaximum = 4;

/**
 * Applies settings to a tenant: observes it, plans the writes, sends them and verifies them with reads, until nothing is
 * pending. Settings that must be written last, such as resuming the tenant, are written after a read has verified all
 * others.
 *
 * The result has an error if the platform rejected a write, or if it accepted a write whose settings no read shows.
 */
export async function applySettings(
  context: OperationContext,
  desired: Desired,
  start: ObservedTenant,
): Promise<Applied> {
  let tenant = start;
  // an observed tenant never changes, so it is compared once
  const comparisons = new WeakMap<ObservedTenant, ReturnType<typeof compare>>();
  const compared = () => {
    const comparison = comparisons.get(tenant) ?? compare(desired, tenant);
    comparisons.set(tenant, comparison);
    return comparison;
  };
  let isWritten = false;
  let isAnswered = true;
  const planned = async () => planWrites(desired, writable(desired, (await compared()).pending));
  try {
    let removal: Removal = "leave out";
    for (let round = 1; ; round += 1) {
      if (isKnownToLeaveOut(context)) tenant = leavingOut(tenant);
      if (needsRead(await planned(), tenant)) for await (tenant of reads(context, desired, tenant)) break;
      const { pending: before } = await compared();

      let lostAnswer: ApiError | undefined;
      for (const endpoint of ["tenant", "metadata"] as const) {
        if (lostAnswer !== undefined) break;
        const stepNow = async () => (await planned()).first.find((step) => step.endpoint === endpoint);
        // the metadata may have changed during the previous step
        if (endpoint === "metadata" && (await stepNow())) tenant = await withFreshMetadata(context, tenant);
        const step = await stepNow();
        if (step === undefined) continue;
        const { tenant: sent } = tenant;
        ({ tenant, lostAnswer } = await send(context, desired, tenant, step, removal));
        isAnswered &&= endpoint === "metadata" || tenant.tenant !== sent;
        isWritten = true;
      }
      for await (tenant of reads(context, desired, tenant)) {
        noteShown(context, desired, tenant);
        if (isKnownToChange(context) && !isKnownToShow(context, desired, tenant))
          tenant = trustingWrites(desired, tenant);
        if ((await planned()).first.length === 0) break;
      }
      requireResolved(describeTenant(tenant), desired, (await compared()).pending);

      const { first, last } = await planned();
      for (const step of first.length === 0 ? last : []) {
        ({ tenant, lostAnswer } = await send(context, desired, tenant, step, removal));
        isWritten = true;
        for await (tenant of reads(context, desired, tenant, "tenant")) if (isDone(await planned())) break;
      }

      const { settings, pending } = await compared();
      if (pending.length === 0) {
        noteHiding(context, desired, tenant);
        warnOfAbsentFields(context, settings, tenant.tenant);
        return { tenant, settings };
      }
      const isLast = round >= roundsMaximum;
      ({ tenant, removal } = await nextTry(context, desired, tenant, {
        before,
        pending,
        settings,
        lostAnswer,
        removal,
        isLast,
      }));
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

/** What is left to do after a round. */
interface Unfinished {
  /** The pending changes before the round. */
  before: readonly SettingPath[];
  pending: readonly SettingPath[];
  settings: SomeSettings;
  lostAnswer: ApiError | undefined;
  removal: Removal;
  isLast: boolean;
}

/** The tenant and the way of removal for the next round. Throws if another round would not help. */
async function nextTry(context: OperationContext, desired: Desired, tenant: ObservedTenant, unfinished: Unfinished) {
  const { before, pending, settings, lostAnswer, removal, isLast } = unfinished;
  const mayBeLeftOut = lostAnswer === undefined && !tenant.history.leavesOutSecrets && !isLast;
  /** Whether only removals and last writes are pending, which the next round does. */
  const areDoneLater = (trusted: ObservedTenant, { settings, pending }: Pick<Unfinished, "settings" | "pending">) =>
    pending.every(mayBeLast) || isRemovalOnly(desired, trusted, settings, pending);
  if (mayBeLeftOut && !areDoneLater(tenant, unfinished)) {
    // the write succeeded and the consistency timeout has passed
    const leaving = leavingOut(tenant);
    const others = await compare(desired, leaving);
    const known = unreadablePaths(desired, tenant) ?? [];
    const leftOut = (unreadablePaths(desired, leaving) ?? []).filter((path) => !isAmong(known, path));
    if (areDoneLater(leaving, others) && !hasShown(context, tenant, leftOut)) return { tenant: leaving, removal };
  }
  const trusting = trustingWrites(desired, tenant);
  const trusted = await compare(desired, trusting);
  // the secrets in whose place reads show what they showed before the write
  const unchanged = pending.filter((path) => !isAmong(trusted.pending, path) && !hasMoreLive(desired, tenant, path));
  if (
    unchanged.length > 0 &&
    areDoneLater(trusting, trusted) &&
    lostAnswer === undefined &&
    !isLast &&
    !isKnownToShow(context, desired, tenant)
  ) {
    context.warn(notShown(tenant, unchanged));
    return { tenant: trusting, removal };
  }
  const isNew = pending.some((path) => !isAmong(before, path));
  if ((lostAnswer !== undefined || isNew) && !isLast) return { tenant, removal };
  if (lostAnswer !== undefined) throw lostAnswer;
  if (!isRemovalOnly(desired, tenant, settings, pending))
    throw notTaken(tenant, pending, unchanged, context.consistencyTimeoutSeconds);
  if (removal === "send null") throw notRemovable(tenant, pending);
  return { tenant, removal: "send null" as const };
}

/** Whether the platform is likely to answer another request after an error. */
function isReachable(error: unknown): boolean {
  if (error instanceof RateLimitError) return false;
  return !(error instanceof ApiError) || (error.status ?? 500) < 500;
}

function isAmong(paths: readonly SettingPath[], path: SettingPath): boolean {
  return paths.some((one) => isDeepStrictEqual(one, path));
}

function isDone({ first, last }: WritePlan): boolean {
  return first.length === 0 && last.length === 0;
}

function leavingOut(tenant: ObservedTenant): ObservedTenant {
  return { ...tenant, history: { ...tenant.history, leavesOutSecrets: true } };
}

/**
 * Whether a write needs a fresh read first. A free-form object is written as a whole, and someone may have changed it since
 * the operation listed the tenants. The metadata of a new tenant needs no read, unless others had the time to write it.
 */
function needsRead({ first }: WritePlan, { isRead, history }: ObservedTenant): boolean {
  if (isRead) return false;
  const written = first.flatMap(({ settings }) => settings);
  return settingEntries.some(([name, { kind, write }]) => {
    const isOfOthers = write.endpoint === "tenant" || history.mayBeChanged;
    return kind === "keys" && isOfOthers && written.includes(name);
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
): AsyncGenerator<ObservedTenant> {
  let tenant = start;
  const pauses = { first: 0.1, longest: 2 };
  const { consistencyTimeoutSeconds: deadlineSeconds, signal } = context;
  for await (const { isLast } of attempts({ deadlineSeconds, pauses, signal })) {
    if (!tenant.isRead) tenant = await read(context, desired, tenant, of);
    if (tenant.isRead) yield tenant;
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
  if (tenant.isRead || !tenant.history.mayBeChanged) return tenant;
  const metadata = await readMetadata(context, tenant.integration.tenants, tenant.id);
  return metadata === undefined ? tenant : withSeen(tenant, { metadata });
}
