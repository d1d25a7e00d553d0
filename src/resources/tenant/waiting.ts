import { ApiError } from "../../api/index.ts";
import { formatPath } from "../../json/key-path.ts";
import { shortList } from "../../json/short-list.ts";
import type { IntegrationScope } from "../../operation/integration-scope.ts";
import type { OperationContext } from "../../operation/operation-context.ts";
import { canSync } from "../../operation/tenant-connection.ts";
import type { Observed } from "../../settings/setting.ts";
import type { SomeSettings } from "../../settings/table.ts";
import type { KeptHistory, ObservedTenant, WaitingFor } from "./observed-tenant.ts";
import type { WaitingChoices } from "./waiting-choices.ts";

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

/** Whether something of a tenant waits for an event, according to its state. */
export function isWaitingUntil({ waitingFor }: KeptHistory, event: WaitingFor["until"]): boolean {
  return waitingFor?.some(({ until }) => until === event) === true;
}

/** All of a tenant's settings that wait; `undefined` if none does. */
export function allWaiting({ settings, waiting }: WaitingSettings, tenant: ObservedTenant): WaitingFor[] | undefined {
  const all = [...(stillWaiting(settings, tenant) ?? []), ...(waiting?.waitingFor ?? [])];
  return all.length === 0 ? undefined : all;
}

/** Desired settings, and the choices that wait. */
interface WaitingSettings {
  settings: Pick<SomeSettings, "paused">;
  waiting?: WaitingChoices | undefined;
}

/** The tenant if it waits to be resumed; `undefined` if it is connected, or may be. */
export function waitingToRun(tenant: ObservedTenant): ObservedTenant | undefined {
  const reason = reasonToWait(tenant, tenant.integration);
  if (reason === undefined) return undefined;
  const waiting: WaitingFor = { path: ["paused"], reason, until: "connected" };
  return { ...tenant, history: { ...tenant.history, waitingFor: [waiting] } };
}

/**
 * Tells the user what waits, and who must do what.
 *
 * @param what the tenant or the fleet, such as `fleet "billing"`.
 */
export function noteWaiting(
  { note }: Pick<OperationContext, "note">,
  what: string,
  states: readonly KeptHistory[],
): void {
  const [unconnected, choosing] = (["connected", "options"] as const).map((event) =>
    states
      .map(({ waitingFor = [] }) => waitingFor.filter(({ until }) => until === event))
      .filter(({ length }) => length > 0),
  );
  const [first] = unconnected?.flat() ?? [];
  if (first !== undefined) {
    note(
      unconnected?.length === 1
        ? `${what}: a tenant stays paused until its customer connects it, as ${first.reason}. The next up after that resumes it`
        : `${what}: ${unconnected?.length} tenants stay paused until their customers connect them. The next up after that resumes them`,
    );
  }
  const [choice] = choosing?.flat() ?? [];
  if (choice === undefined) return;
  const paths = shortList([...new Set(choosing?.flat().map(({ path }) => formatPath(path)))]);
  const whose = choosing?.length === 1 ? "" : ` of ${choosing?.length} tenants`;
  note(`${what}: ${paths}${whose} waits, as ${choice.reason}. ${initSyncStep}`);
}

/** Who must do what before a dynamic choice can be set. */
export const initSyncStep =
  "Once its customer has connected a tenant, an init sync finds its options (integration-platform sync --mode init, or the " +
  "platform's first run), and the next up sets the value. If the platform never shows options, schemaViolations: off of the tenant " +
  "sends it at once";

const notAboutTheTenant: readonly unknown[] = [401, 403, 404, 405, 408, 413, 429];

/** Whether the platform has refused to resume a tenant for a reason that may be the missing connection. */
export function mayBeRefusedUnconnected(error: unknown): boolean {
  if (!(error instanceof ApiError) || error.status === undefined) return false;
  return error.status >= 400 && error.status < 500 && !notAboutTheTenant.includes(error.status);
}
