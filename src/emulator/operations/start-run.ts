import { timestamp } from "../clock.ts";
import type { RunEnding, RunRecord, TriggerRecord } from "../entities/run.ts";
import type { RunScript } from "../entities/script.ts";
import type { TenantRecord } from "../entities/tenant.ts";
import type { Platform } from "../platform.ts";
import { isConnected } from "./connection.ts";
import { endRun } from "./end-run.ts";
import { openingOfLog, writeRunStatus } from "./record-run.ts";
import { resolveRelease } from "./resolve-release.ts";

/**
 * Creates a run for triggers, and starts it. A tenant has one run at a time: while a run goes on, triggers are collected
 * in one pending run, which starts when the current run ends.
 */
export function runTriggers(platform: Platform, tenantId: number, triggers: readonly TriggerRecord[]): void {
  const { store } = platform;
  const tenant = store.tenants.find(tenantId);
  if (!tenant || triggers.length === 0) return;

  const run = withTriggers(store.runs.findUnfinished(tenantId, "pending") ?? newRun(platform, tenant), triggers);
  store.runs.write(run);
  for (const trigger of triggers) store.triggers.write({ ...trigger, run_id: run.id });
  if (!store.runs.findUnfinished(tenantId, "running")) startRun(platform, run);
}

/** Starts a pending run. It fails at once when the tenant is archived or not connected. */
export function startRun(platform: Platform, pending: RunRecord): void {
  const { store, clock } = platform;
  const tenant = store.tenants.find(pending.tenant_id);
  if (!tenant) return;

  const script = scriptOf(platform, tenant);
  const obstacle = obstacleTo(platform, tenant);
  const seconds = obstacle === undefined ? (script.takes_seconds ?? defaultSeconds) : 0;
  const ending = endingOf(script, pending.number, obstacle ?? overrun(seconds));
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
  const summaries = added.map(({ trigger_id, source, created_date }) => ({ trigger_id, source, created_date }));
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

function obstacleTo(platform: Platform, tenant: TenantRecord): string | undefined {
  if (tenant.archived) return "the tenant is archived";
  const mayRun = platform.variants.unconnectedSync === "accept" || isConnected(platform, tenant);
  return mayRun ? undefined : "the tenant is not connected";
}

function overrun(seconds: number): string | undefined {
  return seconds > maxSeconds ? `the platform ended the run after ${maxSeconds} seconds` : undefined;
}

function endingOf(script: RunScript, number: number, obstacle: string | undefined): RunEnding {
  const outcomes = [script.outcome ?? "succeed"].flat();
  const outcome = outcomes[(number - 1) % outcomes.length];
  const failure = obstacle ?? (outcome === "fail" ? (script.failure ?? "the integration reported an error") : null);
  const { log = [], metadata = null, dynamic_configs = null } = script;
  return { failure, log, metadata, dynamic_configs };
}

function dueAt(now: number, seconds: number): number {
  return now + Math.round(Math.min(seconds, maxSeconds) * 1000);
}
