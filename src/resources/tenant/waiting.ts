import { ApiError } from "../../api/index.ts";
import type { IntegrationScope } from "../../operation/integration-scope.ts";
import type { OperationContext } from "../../operation/operation-context.ts";
import { canSync } from "../../operation/tenant-connection.ts";
import type { Observed } from "../../settings/setting.ts";
import type { SomeSettings } from "../../settings/table.ts";
import type { KeptHistory, ObservedTenant, WaitingFor } from "./observed-tenant.ts";

/** Why a tenant cannot run before its customer connects it; `undefined` if it is connected, or may be. */
export function reasonToWait({ tenant }: Pick<Observed, "tenant">, integration: IntegrationScope): string | undefined {
  const readiness = canSync(tenant, integration);
  return readiness.kind === "cannot" ? readiness.reason : undefined;
}

/** What of a tenant still waits for its customer: to be resumed, unless it is declared as paused; `undefined` if nothing does. */
export function stillWaiting(
  { paused }: Pick<SomeSettings, "paused">,
  { history: { waitingFor }, integration, ...seen }: ObservedTenant,
): WaitingFor[] | undefined {
  const isPending = waitingFor.length > 0 && paused !== true && seen.tenant.paused;
  return isPending && reasonToWait(seen, integration) !== undefined ? [...waitingFor] : undefined;
}

/** The tenant if it waits to be resumed; `undefined` if it is connected, or may be. */
export function waitingToRun(tenant: ObservedTenant): ObservedTenant | undefined {
  const reason = reasonToWait(tenant, tenant.integration);
  if (reason === undefined) return undefined;
  const waiting: WaitingFor = { path: ["paused"], reason, until: "connected" };
  return { ...tenant, history: { ...tenant.history, waitingFor: [waiting] } };
}

/**
 * Tells the user which tenants stay paused until their customers connect them.
 *
 * @param what the tenant or the fleet, such as `fleet "billing"`.
 */
export function noteWaiting(
  { note }: Pick<OperationContext, "note">,
  what: string,
  states: readonly KeptHistory[],
): void {
  const waiting = states.flatMap(({ waitingFor = [] }) => waitingFor);
  const [first] = waiting;
  if (first === undefined) return;
  note(
    waiting.length === 1
      ? `${what}: a tenant stays paused until its customer connects it, as ${first.reason}. The next up after that resumes it`
      : `${what}: ${waiting.length} tenants stay paused until their customers connect them. The next up after that resumes them`,
  );
}

const notAboutTheTenant: readonly unknown[] = [401, 403, 404, 405, 408, 413, 429];

/** Whether the platform has refused to resume a tenant for a reason that may be the missing connection. */
export function mayBeRefusedUnconnected(error: unknown): boolean {
  if (!(error instanceof ApiError) || error.status === undefined) return false;
  return error.status >= 400 && error.status < 500 && !notAboutTheTenant.includes(error.status);
}
