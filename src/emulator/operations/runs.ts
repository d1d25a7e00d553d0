import { timestamp } from "../clock.ts";
import {
  type FailureKind,
  failureKinds,
  type RunEnding,
  type RunRecord,
  type RunTrigger,
  runSummary,
  type TriggerRecord,
} from "../entities/run.ts";
import type { RunScript } from "../entities/script.ts";
import type { TenantRecord, TenantStatus } from "../entities/tenant.ts";
import { hiddenPeriod, type Platform } from "../platform.ts";
import { checkAgainstSchema } from "../rules/check-against-schema.ts";
import type { JsonObject } from "../rules/json.ts";
import { statusWord } from "../rules/status-words.ts";
import { isConnected } from "./connection.ts";
import { notify, tenantFields } from "./notify.ts";
import { resolveRelease } from "./release-choice.ts";
import { writeTenant } from "./schedule.ts";

/**
 * Creates a run for triggers, and starts it. A tenant has one run at a time: while a run goes on, triggers are bundled in
 * pending runs, one for those of its schedule and one for all others.
 */
export function runTriggers(platform: Platform, tenantId: number, triggers: readonly TriggerRecord[]): void {
  const { store } = platform;
  const tenant = store.tenants.find(tenantId);
  if (!tenant || triggers.length === 0) return;

  const pending = store.runs.pending(tenantId).find((waiting) => isScheduled(waiting) === isScheduled({ triggers }));
  const run = withTriggers(pending ?? newRun(platform, tenant), triggers);
  store.runs.write(run);
  for (const trigger of triggers) store.triggers.write({ ...trigger, run_id: run.id });
  startNextRun(platform, tenantId);
}

/** Starts a pending run of a tenant, the one of its schedule first, unless a run goes on. */
export function startNextRun(platform: Platform, tenantId: number): void {
  const { runs } = platform.store;
  const pending = runs.pending(tenantId);
  // a run that fails at once leaves the next one to start
  for (const next of [...pending.filter(isScheduled), ...pending.filter((run) => !isScheduled(run))]) {
    if (!runs.findRunning(tenantId)) startRun(platform, next);
  }
}

function isScheduled({ triggers }: { readonly triggers: readonly Pick<RunTrigger, "source">[] }): boolean {
  return triggers.some(({ source }) => source === "schedule");
}

/** Starts a pending run. It fails at once when the tenant is archived or not connected. */
function startRun(platform: Platform, pending: RunRecord): void {
  const { store, clock } = platform;
  const tenant = store.tenants.find(pending.tenant_id);
  if (!tenant) return;

  const script = scriptOf(platform, tenant);
  const obstacle = obstacleTo(platform, tenant);
  const seconds = obstacle === undefined ? (script.takes_seconds ?? defaultSeconds) : 0;
  const ending = endingOf(script, pending.number, obstacle ?? overrun(seconds) ?? misfit(platform, tenant, script));
  const run: RunRecord = { ...pending, phase: "running", started_date: timestamp(clock), ending };
  store.runs.write(run);
  store.runs.writeLog(run.id, openingOfLog(run, tenant));
  writeRunStatus(platform, run);
  if (obstacle !== undefined) endRun(platform, run.id);
  else store.jobs.write({ kind: "run", subject: run.id, dueAt: dueAt(clock.now(), seconds), detail: null });
}

const defaultSeconds = 5;
/** The platform ends a run after 10 minutes. */
const maxSeconds = 600;

function newRun({ store, clock }: Platform, tenant: TenantRecord): RunRecord {
  const [previous] = store.runs.newest(1, tenant.id);
  return {
    id: store.runs.nextId(),
    number: (previous?.number ?? 0) + 1,
    tenant_id: tenant.id,
    integration_id: tenant.integration_id,
    mode: "normal",
    phase: "pending",
    triggers: [],
    created_date: timestamp(clock),
    started_date: null,
    completed_date: null,
    ending: null,
  };
}

/** A run is of mode `init` if any of its triggers is. */
function withTriggers(run: RunRecord, added: readonly TriggerRecord[]): RunRecord {
  const summaries = added.map(({ id, trigger_id, mode, source, body, created_date }) => {
    return { id, trigger_id, mode, source, payload: body, created_date };
  });
  const isInit = run.mode === "init" || added.some((trigger) => trigger.mode === "init");
  return { ...run, mode: isInit ? "init" : "normal", triggers: [...run.triggers, ...summaries] };
}

function scriptOf(platform: Platform, tenant: TenantRecord): RunScript {
  const script: RunScript = { ...platform.store.integrations.find(tenant.integration_id)?.runs, ...tenant.runs };
  if (script.releases === undefined) return script;

  const release = resolveRelease(platform, tenant.integration_id, tenant);
  const onRelease = script.releases.find(
    ({ tag = release?.tag, id = release?.id, tenants = [tenant.name] }) =>
      release !== undefined && tag === release.tag && id === release.id && tenants.includes(tenant.name),
  );
  return { ...script, ...onRelease };
}

/** Why a run fails, whatever its script says. */
interface Failure {
  readonly failure: string;
  readonly failed: FailureKind;
}

function obstacleTo(platform: Platform, tenant: TenantRecord): Failure | undefined {
  if (tenant.archived) return { failure: "the tenant is archived", failed: "Platform Issue" };
  const mayRun = platform.variants.unconnectedSync === "accept" || isConnected(platform, tenant);
  return mayRun ? undefined : { failure: "the tenant is not connected", failed: "Refresh" };
}

function overrun(seconds: number): Failure | undefined {
  if (seconds <= maxSeconds) return undefined;
  return { failure: `the platform ended the run after ${maxSeconds} seconds`, failed: "Timeout" };
}

/** A run whose metadata does not fit the schema of its release fails, and the metadata stays as it was. */
function misfit(platform: Platform, tenant: TenantRecord, { metadata }: RunScript): Failure | undefined {
  const schema = resolveRelease(platform, tenant.integration_id, tenant)?.metadata_schema;
  if (!metadata || !schema) return undefined;
  const merged = { ...platform.store.metadata.find(tenant.id)?.data, ...metadata };
  const options = { fillDefaults: false, acceptPlaceholders: true, loc: ["metadata"] };
  const [problem] = checkAgainstSchema(schema, merged, options).problems;
  if (problem === undefined) return undefined;
  return { failure: `the metadata does not fit its schema: ${problem.msg}`, failed: "Metadata Validation" };
}

function endingOf(script: RunScript, number: number, failure: Failure | undefined): RunEnding {
  const { log = [], metadata = null, dynamic_configs = null, failed = failureKinds[0] } = script;
  const outcomes = [script.outcome ?? "succeed"].flat();
  const isFailing = outcomes[(number - 1) % outcomes.length] === "fail";
  const scripted = isFailing ? { failure: script.failure ?? "the integration reported an error", failed } : undefined;
  return { failure: null, ...(failure ?? scripted), log, metadata, dynamic_configs };
}

function dueAt(now: number, seconds: number): number {
  return now + Math.round(Math.min(seconds, maxSeconds) * 1000);
}

/**
 * Updates a tenant's status after a run started or ended: `current_run` while it runs, then `last_run`,
 * `last_successful_run`, and the dynamic configs of an `init` run. The tenant's modified_date stays, as a run is not a
 * change of the tenant.
 */
function writeRunStatus(platform: Platform, run: RunRecord): void {
  const tenant = platform.store.tenants.find(run.tenant_id);
  if (!tenant) return;
  const status: TenantStatus = { ...tenant.status, ...statusAfter(run) };
  writeTenant(platform, { ...tenant, status }, hiddenPeriod(platform));
}

function statusAfter(run: RunRecord): TenantStatus {
  const summary = runSummary(run);
  if (run.phase === "running") return { current_run: summary };
  if (run.phase === "failed") return { current_run: {}, last_run: summary };
  const found = run.mode === "init" ? run.ending?.dynamic_configs : undefined;
  return {
    current_run: {},
    last_run: summary,
    last_successful_run: summary,
    ...(found ? { dynamic_configs: found } : {}),
  };
}

/** The lines that a run's log starts with. */
function openingOfLog(run: RunRecord, tenant: TenantRecord): string {
  const triggers = run.triggers.map(({ trigger_id, source }) => `${trigger_id} (${source})`).join(", ");
  return lines(run.started_date, [
    `INFO run ${run.id} of tenant ${tenant.name} (${tenant.id}) started, mode ${run.mode}`,
    `INFO triggers: ${triggers}`,
  ]);
}

/** The lines that a run's log ends with. */
function closingOfLog(run: RunRecord): string {
  const failure = run.ending?.failure ?? null;
  const last = failure === null ? `INFO run ${run.id} succeeded` : `ERROR run ${run.id} failed: ${failure}`;
  return lines(run.completed_date, [...(run.ending?.log ?? []).map((line) => `INFO ${line}`), last]);
}

function lines(time: string | null, messages: readonly string[]): string {
  return messages.map((message) => `${time} ${message}\n`).join("");
}

/** Ends a run: completes its log, updates the tenant's status and metadata, and sends the event of a failure. */
export function endRun(platform: Platform, id: number): void {
  const { store, clock } = platform;
  const running = store.runs.find(id);
  if (running?.phase !== "running" || !running.ending) return;

  const { failure, metadata } = running.ending;
  const run: RunRecord = {
    ...running,
    phase: failure === null ? "succeeded" : "failed",
    completed_date: timestamp(clock),
  };
  store.runs.write(run);
  store.runs.writeLog(id, (store.runs.findLog(id) ?? "") + closingOfLog(run));
  if (failure === null && metadata) mergeMetadata(platform, run.tenant_id, metadata);
  writeRunStatus(platform, run);
  if (failure !== null) notifyFailure(platform, run);
}

function mergeMetadata(platform: Platform, tenantId: number, added: JsonObject): void {
  const { store, clock } = platform;
  const current = store.metadata.find(tenantId);
  const now = timestamp(clock);
  store.metadata.write(
    {
      tenant_id: tenantId,
      data: { ...current?.data, ...added },
      created_date: current?.created_date ?? now,
      modified_date: now,
    },
    hiddenPeriod(platform),
  );
}

function notifyFailure(platform: Platform, run: RunRecord): void {
  const tenant = platform.store.tenants.find(run.tenant_id);
  const api = `${platform.url}/v2/runs/${run.id}`;
  notify(platform, "run_failed", {
    run_id: run.id,
    run_status: statusWord(platform.variants.statusWords, run.phase),
    admin_link: `${platform.url}/console/runs/${run.id}`,
    api_link: api,
    api_status_link: `${api}/status`,
    api_triggers_link: `${api}/triggers`,
    ...(tenant ? tenantFields(platform, tenant) : {}),
  });
}
