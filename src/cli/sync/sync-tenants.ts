import pLimit from "p-limit";
import { ApiError, type Tenant } from "../../api/index.ts";
import type { IntegrationScope } from "../../operation/integration-scope.ts";
import type { OperationContext } from "../../operation/operation-context.ts";
import { timeNow } from "../../operation/platform-time.ts";
import { remedyOf, type SyncOutcome } from "../../operation/run-outcome.ts";
import { hangingReason } from "../../operation/run-record.ts";
import { canSync } from "../../operation/tenant-connection.ts";
import { type AwaitedOutcome, awaitOutcome, isRefusedSync, requestSync } from "../../resources/sync-trigger/request.ts";
import { messageOf } from "../output.ts";
import { withProgress } from "../terminal.ts";
import type { CommandContext } from "../with-platform.ts";

/** How tenants are synced. */
export interface SyncRequest {
  mode: "normal" | "init";
  /** Whether to wait for the outcomes. */
  wait: boolean;
  /** How long to wait for each outcome, in seconds. Default 1500. */
  timeout?: number | undefined;
}

/** How the sync of a tenant ended. */
export interface SyncResult {
  tenant: { id: number; name: string; integration: string };
  mode: SyncRequest["mode"];
  /**
   * - `requested`: it was not waited for.
   * - `unknown`: there was no outcome before the timeout: no status, or not a known final one.
   * - `refused`: the request failed.
   * - `skipped`: the tenant is not connected, so that no sync was requested; or the platform does not show whether it is, and
   *   refused the request.
   */
  outcome: SyncOutcome;
  /** The platform's word for how the run stands. */
  status?: string;
  /** Id of the trigger. */
  trigger?: string;
  /** Id of the run, if the platform lists runs. */
  run?: number;
  /** How long the command waited for the outcome. */
  secondsWaited?: number;
  /** Why it was refused or skipped, why the outcome is unknown, or what helps after the failure. */
  reason?: string;
}

const concurrency = 10;

/** Syncs tenants, ten at a time, each to its outcome. */
export async function syncTenants(
  context: CommandContext,
  selected: readonly { tenant: Tenant; scope: IntegrationScope }[],
  request: SyncRequest,
): Promise<SyncResult[]> {
  const limit = pLimit(concurrency);
  return withProgress(context.shell, "requesting syncs", async (progress) => {
    let done = 0;
    return limit.map(selected, async ({ tenant, scope }) => {
      const result = await syncTenant(context, { tenant, scope }, request);
      done += 1;
      progress.show(`syncs done: ${done} of ${selected.length}`);
      const { id, name } = tenant;
      return { tenant: { id, name, integration: scope.record.name }, mode: request.mode, ...result };
    });
  });
}

type Outcome = Omit<SyncResult, "tenant" | "mode">;

async function syncTenant(
  context: OperationContext,
  { tenant, scope }: { tenant: Tenant; scope: IntegrationScope },
  { mode, wait, timeout }: SyncRequest,
): Promise<Outcome> {
  const readiness = canSync(tenant, scope);
  if (readiness.kind === "cannot") return { outcome: "skipped", reason: `it is not connected: ${readiness.reason}` };
  const inputs = { tenantId: tenant.id, mode, ...(timeout === undefined ? {} : { timeoutSeconds: timeout }) };
  const requestedAt = timeNow(context.client).at;
  let trigger: string;
  try {
    trigger = await requestSync(context, inputs);
  } catch (error) {
    const reason = reasonOf(error);
    if (readiness.kind === "can" || !isRefusedSync(error)) return { outcome: "refused", reason };
    return { outcome: "skipped", reason: `${reason} Perhaps it is not connected: ${readiness.reason}` };
  }
  if (!wait) return { outcome: "requested", trigger };
  try {
    const sync = { triggerId: trigger, tenantId: tenant.id, requestedAt };
    const { result, seen } = await awaitOutcome(context, sync, inputs);
    const { outcome, status, secondsWaited } = result;
    const reason = outcome === "unknown" ? unknownReason(status, seen) : remedyOf(status ?? "");
    return {
      outcome: outcome === "succeeded" || outcome === "failed" ? outcome : "unknown",
      ...(status === undefined ? {} : { status }),
      trigger,
      ...(secondsWaited === undefined ? {} : { secondsWaited }),
      ...(typeof seen.run?.id === "number" ? { run: seen.run.id } : {}),
      ...(reason === undefined ? {} : { reason }),
    };
  } catch (error) {
    return { outcome: "unknown", trigger, reason: reasonOf(error) };
  }
}

function unknownReason(status: string | undefined, { run, stop }: AwaitedOutcome["seen"]): string {
  if (status === undefined) return "the platform returned no status before the timeout";
  if (stop === "hanging") return `it hangs: ${hangingReason(run)}`;
  const when = stop === "ended" ? "it has ended with the status" : "its last status before the timeout was";
  return (
    `${when} "${status}", which is not a known final status (if it is one, add it to ` +
    "integration-platform:succeededStatuses or failedStatuses in the stack's config, and name the stack with --stack)"
  );
}

function reasonOf(error: unknown): string {
  if (!(error instanceof ApiError)) throw error;
  return messageOf(error);
}
