import type { RunRecord, TriggerRecord } from "../entities/run.ts";
import { documents, type Page } from "./documents.ts";
import type { Statements } from "./statements.ts";

export interface RunStore {
  find(id: number): RunRecord | undefined;
  findRunning(tenantId: number): RunRecord | undefined;
  /** The tenant's runs that wait for the running one to end. */
  pending(tenantId: number): RunRecord[];
  /** The newest runs first, of one tenant or of all. */
  newest(limit: number, tenantId?: number): RunRecord[];
  /** One page of a tenant's runs. */
  listPage(page: Page, tenantId: number): RunRecord[];
  /** How many runs there are, or how many of one phase. */
  count(phase?: "pending" | "running"): number;
  write(run: RunRecord): void;
  /** The log of the run so far; undefined until the run starts. */
  findLog(id: number): string | undefined;
  writeLog(id: number, log: string): void;
  nextId(): number;
}

export interface TriggerStore {
  find(triggerId: string): TriggerRecord | undefined;
  /** The tenant's triggers that no run serves yet, oldest first. */
  waiting(tenantId: number): TriggerRecord[];
  ofRun(runId: number): TriggerRecord[];
  write(trigger: TriggerRecord): void;
  nextId(): number;
}

export function runStore(statements: Statements): RunStore {
  const runs = documents<RunRecord>(statements, "runs", 7001);
  return {
    find: runs.find,
    findRunning: (tenantId) => runs.findWhere("tenant_id = ? AND unfinished = 'running'", tenantId),
    pending: (tenantId) => runs.listWhere("tenant_id = ? AND unfinished = 'pending'", tenantId),
    newest: (limit, tenantId) =>
      tenantId === undefined ? runs.newest(limit) : runs.newest(limit, "tenant_id = ?", tenantId),
    listPage: (page, tenantId) => runs.listPage(page, "tenant_id = ?", tenantId),
    count: (phase) => (phase === undefined ? runs.count() : runs.count("unfinished = ?", phase)),
    write: runs.write,
    findLog: (id) => {
      const log = statements.value("SELECT log FROM runs WHERE id = ? AND log IS NOT NULL", id);
      return log === undefined ? undefined : String(log);
    },
    writeLog: (id, log) => statements.run("UPDATE runs SET log = ? WHERE id = ?", log, id),
    nextId: runs.nextId,
  };
}

export function triggerStore(statements: Statements): TriggerStore {
  const triggers = documents<TriggerRecord>(statements, "triggers", 4_815_162_342_001);
  return {
    find: (triggerId) => triggers.findWhere("trigger_id = ?", triggerId),
    waiting: (tenantId) => triggers.listWhere("waiting_tenant = ?", tenantId),
    ofRun: (runId) => triggers.listWhere("run_id = ?", runId),
    write: triggers.write,
    nextId: triggers.nextId,
  };
}
