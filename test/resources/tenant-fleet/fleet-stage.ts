import { IncompleteError } from "../../../src/resources/lifecycle.ts";
import { createPlatform, type PlatformOptions } from "../../../src/resources/platform.ts";
import { tenantFleetLifecycle } from "../../../src/resources/tenant-fleet/lifecycle.ts";
import {
  type TenantFleetInputs,
  type TenantFleetState,
  tenantFleetStateSchema,
} from "../../../src/resources/tenant-fleet/schema.ts";
import { failureOf, type Stage } from "../stage.ts";

/** A fleet of three, each of which declares something else. */
export const fleet = {
  integration: "crm-to-billing",
  name: "billing",
  tenants: {
    acme: { paused: false, configs: { region: "eu" }, metadata: { plan: "gold" } },
    bluebird: { schedule: "0 * * * *", release: { tag: "v1.0.0" } },
    cedar: { name: "cedar-2", configs: { region: "uk" } },
  },
} satisfies TenantFleetInputs;

/** The fleet's lifecycle in a new operation of the engine. */
export function operation(on: Stage, options: Partial<PlatformOptions> = {}) {
  const { platform } = on.operation();
  const { client, settleSeconds } = platform;
  return tenantFleetLifecycle(
    createPlatform({ client, settleSeconds, warn: (message) => on.warnings.push(message), ...options }),
  );
}

/** A fleet brought about by a first operation, with an empty request log for the next. */
export async function brought(on: Stage, inputs: TenantFleetInputs = fleet) {
  const made = await operation(on).create(inputs);
  on.emulator.clearRequests();
  return made;
}

export async function liveNames(on: Stage): Promise<string[]> {
  return (await on.live()).map(({ name }) => name).sort();
}

/** The writes as `METHOD path` without ids, in the order of the alphabet: tenants are worked on at once. */
export function kindsOfWrites(on: Stage): string[] {
  return on
    .writes()
    .map(({ request }) => request.replace(/\/\d+/, "/N"))
    .sort();
}

/** What is kept of a fleet that failed the `up`, and what the `up` said. */
export async function keptOf(
  failing: Promise<unknown>,
): Promise<{ id: string; state: TenantFleetState; message: string }> {
  const failure = await failureOf(failing);
  if (!(failure instanceof IncompleteError)) throw failure;
  return { id: failure.id, state: tenantFleetStateSchema.parse(failure.state), message: failure.message };
}

/** The platform's id of a tenant of a fleet; throws where there is none of that key. */
export function idIn(state: TenantFleetState, key: string): number {
  const entry = state.tenants[key];
  if (entry === undefined) throw new Error(`the fleet has no ${key}`);
  return entry.tenantId;
}
