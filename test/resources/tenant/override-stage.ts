import type { EmulatorOptions } from "../../../src/emulator/index.ts";
import { createManualClock } from "../../../src/emulator/index.ts";
import { IncompleteError } from "../../../src/resources/lifecycle.ts";
import { type TenantInputs, type TenantState, tenantStateSchema } from "../../../src/resources/tenant/schema.ts";
import { complete, failureOf, type Stage, stage } from "../stage.ts";

/** The platform's time at the start of these tests. It stands still until it is moved. */
export const start = "2030-01-01T00:00:00Z";
export const incident = { paused: true, reason: "INC-42" };
export const untilTwo = { ...incident, until: "2030-01-01T02:00:00Z" };

/** A tenant that runs, and one whose `paused` nobody manages. */
export const running: TenantInputs = complete;
const { paused: _, ...rest } = complete;
export const unmanaged: TenantInputs = rest;

export function overrideStage(options: EmulatorOptions = {}): Promise<Stage> {
  return stage({ clock: createManualClock(start), ...options });
}

/** A tenant that earlier operations created, and that runs. The request log is empty. */
export async function broughtRunning(on: Stage, inputs: TenantInputs = running, consistencyTimeoutSeconds = 0.3) {
  const made = await on.operation({ consistencyTimeoutSeconds }).tenant.create(inputs);
  await on.changeByHand(made.id, { paused: false });
  on.emulator.clearRequests();
  return made;
}

/** The state after another `up` with an override. The request log is empty. */
export async function overriddenBy(on: Stage, inputs: TenantInputs = { ...running, override: incident }) {
  const { override: __, ...before } = inputs;
  const { id, state } = await broughtRunning(on, before);
  const overridden = await on.operation().tenant.update(id, state, inputs);
  on.emulator.clearRequests();
  on.notes.length = 0;
  on.warnings.length = 0;
  return { id, state: overridden };
}

/** What a preview of the next `up` tells, in the order of the engine's calls. */
export async function previewed(on: Stage, id: string, state: TenantState, inputs: TenantInputs) {
  const { tenant } = on.operation();
  const failures = await tenant.check(inputs, state);
  if (failures.length > 0) throw new Error(JSON.stringify(failures));
  return tenant.diff(id, state, inputs);
}

/** The state that a failed `up` stores. */
export async function keptOf(failing: Promise<unknown>): Promise<{ state: TenantState; message: string }> {
  const failure = await failureOf(failing);
  if (!(failure instanceof IncompleteError)) throw failure;
  return { state: tenantStateSchema.parse(failure.state), message: failure.message };
}
