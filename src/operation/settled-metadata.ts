import type { JsonObject } from "../json/json-value.ts";
import type { TenantDirectory } from "../snapshot/index.ts";
import { quietSeconds } from "./busy.ts";
import type { OperationContext } from "./operation-context.ts";
import { timeNow } from "./platform-time.ts";
import { attempts } from "./poll.ts";
import { readMetadata } from "./read-metadata.ts";
import { isHanging, isUnderWay, type RunFacts, runFacts } from "./run-record.ts";
import { listedRun } from "./tenant-runs.ts";

/** A tenant's metadata, and the newest run that had ended when it was read. */
export interface SettledMetadata {
  metadata: JsonObject;
  lastEnded: RunFacts | undefined;
}

/** So long before a read a run may have ended whose metadata the read does not show: the platform's times are rounded. */
const marginSeconds = 2;

/**
 * Reads a tenant's metadata at a time when no run is about to write it: a run writes at its end, and a write of the whole metadata
 * that was read before and is sent after would write old values back. It waits for a run that is in progress, as long as a run may
 * take.
 *
 * @returns `undefined` if the tenant does not exist.
 */
export async function settledMetadata(
  context: OperationContext,
  tenants: TenantDirectory,
  tenantId: number,
): Promise<SettledMetadata | undefined> {
  const { client, busyTimeoutSeconds: deadlineSeconds, signal, onBusy, note } = context;
  const begun = performance.now();
  let seenBefore: string | undefined;
  let isWaiting = false;
  for await (const { isLast } of attempts({ deadlineSeconds, pauses: { first: 0.1, longest: 5 }, signal })) {
    const readAt = timeNow(client).at.getTime();
    const metadata = await readMetadata(context, tenants, tenantId);
    if (metadata === undefined) return undefined;
    const { current, lastEnded } = await newestRuns(context, tenants, tenantId);
    const seen = identityOf(lastEnded);
    const endedAt = Date.parse(lastEnded?.endedAt ?? "");
    const mayBeShown = !(endedAt > readAt - marginSeconds * 1000) || seen === seenBefore;
    if ((current === undefined && mayBeShown) || isLast) return { metadata, lastEnded };
    if (current !== undefined && !isWaiting) {
      isWaiting = true;
      for (const begin of onBusy) begin();
    }
    if (current !== undefined && performance.now() - begun > quietSeconds * 1000) {
      note(
        "runs of some tenants are in progress and write metadata at their end: up waits for them before it writes metadata, for " +
          `${Math.round(deadlineSeconds / 60)} minutes at most. A profile that says that the platform merges metadata makes this ` +
          "unnecessary (integration-platform calibrate)",
      );
    }
    seenBefore = current === undefined ? seen : undefined;
  }
  throw new Error("unreachable: the last attempt returns");
}

/** The run that has ended since metadata was read, and whose values a write of the whole may have undone; `undefined` if none has. */
export async function runEndedSince(
  context: OperationContext,
  tenants: TenantDirectory,
  tenantId: number,
  { lastEnded: before }: SettledMetadata,
): Promise<RunFacts | undefined> {
  const { lastEnded } = await newestRuns(context, tenants, tenantId);
  return identityOf(lastEnded) === identityOf(before) ? undefined : lastEnded;
}

/** A tenant's run that is in progress, and the newest that has ended: from the list of runs, or else from the tenant's status. */
async function newestRuns(
  context: OperationContext,
  tenants: TenantDirectory,
  tenantId: number,
): Promise<{ current: RunFacts | undefined; lastEnded: RunFacts | undefined }> {
  const now = timeNow(context.client).at;
  const listed = await context.tenantRuns.newest(tenantId, newest);
  const status = listed === undefined ? (await tenants.fetchFresh(tenantId))?.status : undefined;
  const runs: RunFacts[] =
    listed?.map((run) => listedRun(run, context.runWords)) ??
    [status?.current_run, status?.last_run].flatMap((run) => runFacts(run ?? {}, context.runWords) ?? []);
  return {
    // one that is pending begins later, and may never begin
    current: runs.find((run) => isUnderWay(run) && run.startedAt !== undefined && !isHanging(run, now)),
    lastEnded: runs.find((run) => !isUnderWay(run)),
  };
}

/** One may be pending, one in progress, and one has ended. */
const newest = 3;

function identityOf(run: RunFacts | undefined): string | undefined {
  return run && JSON.stringify([run.id ?? null, run.startedAt ?? null, run.endedAt ?? null]);
}
