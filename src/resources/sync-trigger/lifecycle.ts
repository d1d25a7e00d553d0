import { isDeepStrictEqual } from "node:util";
import { NotFoundError, type Tenant, ValidationError } from "../../api/index.ts";
import { hasUnknown, valueAt } from "../../json-schema/index.ts";
import { defined } from "../defined.ts";
import { shapeFailures } from "../input-schema.ts";
import { IncompleteError, type Lifecycle } from "../lifecycle.ts";
import type { Platform } from "../platform.ts";
import { canSync, type SyncReadiness } from "../tenant/connection.ts";
import { tenantById } from "../tenant-by-id.ts";
import { awaitVerdict, requestSync } from "./request.ts";
import { type SyncTriggerInputs, type SyncTriggerState, syncTriggerInputsSchema } from "./schema.ts";
import { verdictOf } from "./verdict.ts";

/** Inputs whose change asks for another sync; a change of the others only changes how it is waited for. */
const retriggering = ["tenantId", "integrationId", "userName", "mode", "payload", "triggers"];

/** Asks for syncs. What each input means stands at `SyncTriggerArgs`. */
export function syncTriggerLifecycle(platform: Platform): Lifecycle<SyncTriggerInputs, SyncTriggerState> {
  return {
    check: async (inputs) => shapeFailures(syncTriggerInputsSchema, inputs),

    diff: async (_, state, inputs) => {
      if (hasUnknown(inputs)) return { isChanged: true };
      const now = syncTriggerInputsSchema.parse(inputs);
      return {
        isChanged: !isDeepStrictEqual(inputsOf(state), now),
        isUnfinished: await isDue(platform, state, now),
      };
    },

    create: async (inputs) => {
      const state = await sync(platform, inputs, undefined);
      return { id: idOf(state), state };
    },

    read: async (_, state) => ({ inputs: inputsOf(state), state }),

    update: async (id, state, inputs) => {
      const isChanged = retriggering.some((key) => !isDeepStrictEqual(valueAt(state, [key]), valueAt(inputs, [key])));
      if (isChanged || (await isDue(platform, state, inputs))) return sync(platform, inputs, id);
      const { triggerId, status, secondsWaited } = state;
      return { ...inputs, ...defined({ triggerId, status, secondsWaited }), verdict: verdictBy(inputs, state) };
    },

    delete: async () => {}, // a sync that has run cannot be taken back
  };
}

/** Whether the last sync has not done what was asked for: it failed, ended unknown, or waits for its tenant to connect. */
async function isDue(platform: Platform, state: SyncTriggerState, inputs: SyncTriggerInputs): Promise<boolean> {
  const verdict = verdictBy(inputs, state);
  if (verdict !== "skipped") return inputs.failOnError !== false && (verdict === "failed" || verdict === "unknown");
  if (inputs.whenUnconnected === "fail") return true;
  const { kind } = await readinessOf(platform, state);
  return kind !== "cannot"; // where the platform does not tell, only asking again shows whether the tenant can sync by now
}

/** What became of the last sync. A word that nobody knew then may be known now: that needs no other sync. */
function verdictBy(inputs: SyncTriggerInputs, { status, verdict }: SyncTriggerState): SyncTriggerState["verdict"] {
  if (status === undefined || (verdict !== "unknown" && verdict !== "failed")) return verdict;
  return verdictOf(status, inputs) ?? "unknown";
}

async function sync(platform: Platform, inputs: SyncTriggerInputs, id: string | undefined): Promise<SyncTriggerState> {
  const readiness = await readinessOf(platform, inputs);
  if (readiness.kind === "cannot") return skip(platform, inputs, readiness);
  const triggerId = await requestSync(platform, inputs).catch((error: unknown) => {
    if (readiness.kind !== "unknown" || inputs.whenUnconnected === "fail" || !isRefusal(error)) throw error;
    platform.warn(
      `${describe(inputs)} is skipped: the platform refused it: ${error.message}. It may be that tenant "${readiness.tenant.name}" ` +
        `is not connected; ${readiness.reason}. The next up asks again`,
    );
    return undefined;
  });
  if (triggerId === undefined) return { ...inputs, verdict: "skipped" };
  const requested = { ...inputs, triggerId, verdict: "requested" as const };
  if (inputs.wait === false) return requested;
  const result = await awaitVerdict(platform, triggerId, inputs).catch((error: unknown) => {
    throw new IncompleteError(id ?? triggerId, { ...requested, verdict: "unknown" as const }, error);
  });
  const state = { ...inputs, triggerId, ...result };
  if (result.verdict === "succeeded" || inputs.failOnError === false) return state;
  throw new IncompleteError(id ?? triggerId, state, new Error(await describeFailure(platform, state)));
}

/** Records the sync of a tenant that cannot sync as skipped; says so where the platform does not name the connector. */
function skip(
  platform: Platform,
  inputs: SyncTriggerInputs,
  { tenant, reason, isTold }: { tenant: Tenant; reason: string; isTold: boolean },
): SyncTriggerState {
  const isWanting = `tenant "${tenant.name}" is not connected, or not with all of its connectors (${reason})`;
  if (inputs.whenUnconnected !== "fail") {
    if (!isTold)
      platform.warn(`${describe(inputs)} is skipped: ${isWanting}. It is due once the platform shows a connection`);
    return { ...inputs, verdict: "skipped" };
  }
  throw new Error(
    `${describe(inputs)}: ${isWanting}, so it cannot sync. ` +
      'Once its customer has connected it, run up again; to go on without, set whenUnconnected: "skip"',
  );
}

/** What the API answers where a tenant may not be synced (specification, Tenants: sync). */
function isRefusal(error: unknown): error is ValidationError | NotFoundError {
  return error instanceof ValidationError || error instanceof NotFoundError;
}

type Readiness = { kind: "can" } | ({ tenant: Tenant } & Exclude<SyncReadiness, { kind: "can" }>);

/** Whether the tenant can sync. One that is not known here is asked for: the platform says what it makes of it. */
async function readinessOf(platform: Platform, { tenantId }: SyncTriggerInputs): Promise<Readiness> {
  if (tenantId === undefined) return { kind: "can" };
  const found = await tenantById(platform, tenantId);
  if (found === undefined) return { kind: "can" };
  const readiness = canSync(found.tenant, found.integration);
  return readiness.kind === "can" ? readiness : { tenant: found.tenant, ...readiness };
}

async function describeFailure(platform: Platform, state: SyncTriggerState): Promise<string> {
  const trigger = `trigger ${state.triggerId}, GET /v2/runs/triggers/${state.triggerId}/status`;
  const seconds = `after ${state.secondsWaited} s`;
  const runId = await runIdOf(platform, state);
  const log =
    runId === undefined
      ? "Which run it was cannot be known from the API: see the tenant's runs in the console"
      : `Its log, if no other run of the tenant came between: GET /v2/runs/${runId}/log`;
  if (state.verdict === "failed") {
    return `${describe(state)} failed with status "${state.status}" ${seconds} (${trigger}). ${log}. The next up tries again`;
  }
  const word =
    state.status === undefined
      ? `no status yet ${seconds} (${trigger})`
      : `the status "${state.status}", which is in no list, ${seconds} (${trigger}). ` +
        "If the word means success, add it to succeededStatuses";
  return `${describe(state)} has ${word}. ${log}. The next up tries again`;
}

/** A trigger does not name its run; the tenant's last one is the best guess, or the one that is not over. */
async function runIdOf(
  platform: Platform,
  { tenantId, verdict }: SyncTriggerState,
): Promise<string | number | undefined> {
  if (tenantId === undefined) return undefined;
  // what became of the sync is known and must be kept, whatever becomes of this hint
  const tenant = await platform.snapshot
    .tenantsOf()
    .observe(tenantId)
    .catch(() => undefined);
  if (tenant === undefined) return undefined;
  const { last_run: last, current_run: current } = tenant.status ?? {};
  const id = verdict === "unknown" ? (current?.id ?? last?.id) : last?.id;
  return typeof id === "number" || typeof id === "string" ? id : undefined;
}

function describe({ mode, tenantId, integrationId, userName }: SyncTriggerInputs): string {
  const target = tenantId === undefined ? `user "${userName}" of integration ${integrationId}` : `tenant ${tenantId}`;
  return `the ${mode} sync of ${target}`;
}

function idOf({ triggerId, tenantId, integrationId, userName }: SyncTriggerState): string {
  return triggerId ?? `skipped-${tenantId ?? `${integrationId}-${userName}`}`;
}

function inputsOf({ triggerId, status, verdict, secondsWaited, ...inputs }: SyncTriggerState): SyncTriggerInputs {
  return inputs;
}
