import type { EmulatorOptions } from "../../../src/emulator/index.ts";
import { IncompleteError } from "../../../src/resources/lifecycle.ts";
import { syncTriggerLifecycle } from "../../../src/resources/sync-trigger/lifecycle.ts";
import type { SyncTriggerInputs, SyncTriggerState } from "../../../src/resources/sync-trigger/schema.ts";
import { syncTriggerStateSchema } from "../../../src/resources/sync-trigger/schema.ts";
import { call } from "../../emulator/running-emulator.ts";
import { fastStage, requestsOf } from "../passing-time.ts";
import { failureOf, type Stage } from "../stage.ts";

/** A stage with a connected tenant. */
export interface SyncStage extends Stage {
  tenantId: number;
  inputs: SyncTriggerInputs;
}

/** @param tenant the tenant, over a connected one; `runs` is what its runs do. */
export async function syncStage(tenant: object = {}, options: EmulatorOptions = {}): Promise<SyncStage> {
  const on = await fastStage(options);
  const tenantId = await on.add({ integration: "crm-to-billing", name: "acme", user_name: "user-1", ...tenant });
  on.emulator.clearRequests();
  return { ...on, tenantId, inputs: { tenantId, mode: "init" } };
}

export const unconnected = { status: { auth: { connected: false, connectors: [] } } };
export const failing = { runs: { outcome: "fail", failure: "no such customer" } };

/** The lifecycle of a new operation of the engine. */
export function operation(on: Stage, options?: Parameters<Stage["operation"]>[0]) {
  return syncTriggerLifecycle(on.operation(options).context);
}

/** The requested syncs: path with query, and body. */
export function asked(on: Stage) {
  return requestsOf(on, "POST", /\/sync$/).map(({ path, query, body }) => ({ path, query, body }));
}

/** The state and the error message of a sync that failed the `up`. */
export async function keptOf(
  failing: Promise<unknown>,
): Promise<{ id: string; state: SyncTriggerState; message: string }> {
  const failure = await failureOf(failing);
  if (!(failure instanceof IncompleteError)) throw failure;
  return { id: failure.id, state: syncTriggerStateSchema.parse(failure.state), message: failure.message };
}

export async function connect(on: SyncStage): Promise<void> {
  for (const connector of ["crm", "billing"]) {
    await call(on.emulator, "POST", `/_emulator/tenants/${on.tenantId}/connectors/${connector}`, {
      status: "connected",
    });
  }
}
