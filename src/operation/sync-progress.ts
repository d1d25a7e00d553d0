import { NotFoundError, type Run } from "../api/index.ts";
import type { JsonObject, JsonValue } from "../json/json-value.ts";
import { isJsonObject } from "../json/json-value.ts";
import { hideCredentials } from "../settings/hide-credentials.ts";
import type { OperationContext } from "./operation-context.ts";
import { timeNow } from "./platform-time.ts";
import { type DeclaredRunWords, outcomeOf } from "./run-outcome.ts";
import { isHanging, isUnderWay, type RunFacts, runFacts } from "./run-record.ts";
import { listedRun } from "./tenant-runs.ts";

/** A sync that was requested. */
export interface RequestedSync {
  triggerId: string;
  /** Without it, only the status of the trigger is known. */
  tenantId?: number | undefined;
  /** The platform's time before the request; without it, a run is found only by its triggers. */
  requestedAt?: Date | undefined;
}

/** How a requested sync stands. */
export interface SyncProgress {
  /** The platform's word; absent while the trigger has no run. */
  status?: string;
  outcome?: "succeeded" | "failed";
  /** Its run, if the platform shows which it is. */
  run?: RunFacts;
  /** `ended`: with a word that is in no list. `hanging`: the platform should have ended it long ago. */
  stop?: "ended" | "hanging";
}

/**
 * How a sync stands: by its run where the list of runs shows it, else by the status of its trigger. The run is the one that
 * has the trigger, as triggers are bundled; if none has it, the first that began after the request. If there is no list, the
 * status of the tenant tells whether a run with an unknown word has ended.
 */
export async function syncProgress(
  context: OperationContext,
  sync: RequestedSync,
  ...declared: readonly DeclaredRunWords[]
): Promise<SyncProgress> {
  const words = [...declared, context.runWords];
  const status = await triggerStatus(context, sync.triggerId);
  if (status === undefined) return {};
  const ofTrigger = outcomeOf(status, ...words);
  const run = await runOf(context, sync, ofTrigger === undefined && !isProgress(status), words);
  if (run === undefined) return { status, ...(ofTrigger === undefined ? {} : { outcome: ofTrigger }) };
  if (isUnderWay(run)) {
    return { status, run, ...(isHanging(run, timeNow(context.client).at) ? { stop: "hanging" } : {}) };
  }
  const outcome = run.outcome ?? ofTrigger;
  const word = run.status ?? status;
  return outcome === undefined ? { status: word, run, stop: "ended" } : { status: word, outcome, run };
}

async function triggerStatus({ client }: OperationContext, triggerId: string): Promise<string | undefined> {
  try {
    return hideCredentials((await client.runs.getTriggerStatus(triggerId)).status);
  } catch (error) {
    if (error instanceof NotFoundError) return undefined; // triggers are debounced
    throw error;
  }
}

/** Usual words for a run that has not ended: they need no further request. */
function isProgress(status: string): boolean {
  return /^(pending|running|queued|in.?progress|accepted|started|starting|scheduled|waiting|processing)$/i.test(status);
}

const listedRuns = 20;

async function runOf(
  context: OperationContext,
  sync: RequestedSync,
  isStatusUnclear: boolean,
  words: readonly DeclaredRunWords[],
): Promise<RunFacts | undefined> {
  const { tenantId } = sync;
  if (tenantId === undefined) return undefined;
  const listed = await context.tenantRuns.newest(tenantId, listedRuns);
  if (listed !== undefined) {
    const found = runOfSync(listed.map(shownRun), sync);
    return found === undefined ? undefined : listedRun(found.run, ...words);
  }
  if (!isStatusUnclear) return undefined;
  const { status } = (await context.snapshot.tenantsOf().fetchFresh(tenantId)) ?? {};
  const shown = [status?.current_run ?? {}, status?.last_run ?? {}].map((run) => ({
    run,
    triggers: Array.isArray(run.triggers) ? run.triggers.map(shownTrigger) : [],
    startedAt: runFacts(run)?.startedAt,
  }));
  const found = runOfSync(shown, sync);
  return found === undefined ? undefined : runFacts(found.run, ...words);
}

interface ShownRun<Record> {
  run: Record;
  triggers: { id: string; createdAt?: string | undefined }[];
  startedAt: string | undefined;
}

function shownRun(run: Run): ShownRun<Run> {
  const triggers = (run.triggers ?? []).map(({ id, created_date }) => ({
    id: String(id),
    createdAt: created_date ?? undefined,
  }));
  return { run, triggers, startedAt: listedRun(run).startedAt };
}

function shownTrigger(trigger: JsonValue): ShownRun<JsonObject>["triggers"][number] {
  if (!isJsonObject(trigger)) return { id: String(trigger) };
  const { created_date } = trigger;
  return {
    id: String(trigger.id ?? trigger.trigger_id ?? ""),
    ...(typeof created_date === "string" ? { createdAt: created_date } : {}),
  };
}

/** The run of a sync. Times are compared by seconds, as that is how exactly the platform's clock is known. */
function runOfSync<Shown extends ShownRun<unknown>>(
  shown: readonly Shown[],
  { triggerId, requestedAt }: RequestedSync,
): Shown | undefined {
  const own = shown.find(({ triggers }) => triggers.some(({ id }) => id === triggerId));
  if (own !== undefined || requestedAt === undefined) return own;
  const since = Math.floor(requestedAt.getTime() / 1000) * 1000;
  const isSince = (time: string | undefined) => time !== undefined && Date.parse(time) >= since;
  const later = shown.filter(
    ({ startedAt, triggers }) =>
      isSince(startedAt) &&
      (triggers.length === 0 || triggers.some(({ createdAt }) => createdAt === undefined || isSince(createdAt))),
  );
  return later.sort((one, other) => Date.parse(one.startedAt ?? "") - Date.parse(other.startedAt ?? ""))[0];
}
