import { createOperationContext, type OperationOptions } from "../../../src/operation/operation-context.ts";
import { IncompleteError } from "../../../src/resources/lifecycle.ts";
import { tenantFleetLifecycle } from "../../../src/resources/tenant-fleet/lifecycle.ts";
import {
  type TenantFleetInputs,
  type TenantFleetState,
  tenantFleetStateSchema,
} from "../../../src/resources/tenant-fleet/schema.ts";
import { failureOf, type Stage } from "../stage.ts";

/** A fleet of three tenants with different declarations. */
export const fleet = {
  integration: "crm-to-billing",
  name: "billing",
  tenants: {
    acme: { paused: false, configs: { region: "eu" }, metadata: { plan: "gold" } },
    bluebird: { schedule: "0 * * * *", release: { tag: "v1.0.0" } },
    cedar: { name: "cedar-2", configs: { region: "uk" } },
  },
} satisfies TenantFleetInputs;

/** The fleet's lifecycle in a new engine operation. */
export function operation(on: Stage, options: Partial<OperationOptions> = {}) {
  const { context } = on.operation();
  const { client, signal, consistencyTimeoutSeconds } = context;
  return tenantFleetLifecycle(
    createOperationContext({
      client,
      signal,
      consistencyTimeoutSeconds,
      warn: (message) => on.warnings.push(message),
      note: (message) => on.notes.push(message),
      ...options,
    }),
  );
}

/** A fleet that an earlier operation created. The request log is empty. */
export async function brought(on: Stage, inputs: TenantFleetInputs = fleet) {
  const made = await operation(on).create(inputs);
  on.emulator.clearRequests();
  return made;
}

export async function liveNames(on: Stage): Promise<string[]> {
  return (await on.live()).map(({ name }) => name).sort();
}

/** The writes as `METHOD path` without ids, sorted, because tenants are processed in parallel. */
export function kindsOfWrites(on: Stage): string[] {
  return on
    .writes()
    .map(({ request }) => request.replace(/\/\d+/, "/N"))
    .sort();
}

/** The state and the error message of a fleet that failed the `up`. */
export async function keptOf(
  failing: Promise<unknown>,
): Promise<{ id: string; state: TenantFleetState; message: string }> {
  const failure = await failureOf(failing);
  if (!(failure instanceof IncompleteError)) throw failure;
  return { id: failure.id, state: tenantFleetStateSchema.parse(failure.state), message: failure.message };
}

/** The platform id of a fleet's tenant. Throws if the fleet has no such key. */
export function idIn(state: TenantFleetState, key: string): number {
  const entry = state.tenants[key];
  if (entry === undefined) throw new Error(`the fleet has no ${key}`);
  return entry.tenantId;
}
