import type { OperationContext } from "../../../src/operation/operation-context.ts";
import { rolloutOf } from "../../../src/resources/fleet-rollout/begin.ts";
import { type Next, nextOf } from "../../../src/resources/fleet-rollout/next.ts";
import type { Mark, Rollout, RunningWave } from "../../../src/resources/fleet-rollout/rollout.ts";
import type { RolloutTenant, RolloutView } from "../../../src/resources/fleet-rollout/rollout-view.ts";
import type { FleetRolloutInputs } from "../../../src/resources/fleet-rollout/schema.ts";
import { type RolloutPlan, readMembers } from "../../../src/resources/tenant-fleet/rollout-plan.ts";

export const clock = "2026-11-25T12:00:00.000Z";

/** The plan that takes four tenants from release 901 to 902. */
export const plan: RolloutPlan = {
  number: 1,
  release: 902,
  label: "v1.1.0",
  attempt: 1,
  from: "901",
  members: "a=1 b=2 c=3 d=4",
  newcomers: "",
  before: { most: "901", others: {} },
  joined: "",
  earlier: [],
};

/** What the platform shows of a tenant, instead of one on 901 that is connected and runs. */
export interface Shown {
  runs?: string | undefined;
  isOverridden?: boolean;
  paused?: boolean;
  isConnected?: boolean;
  hasFailedRun?: boolean;
}

/** A rollout in the middle, without a platform. */
export interface Situation {
  inputs: FleetRolloutInputs;
  rollout: Rollout;
  view: RolloutView;
  hasWorked?: boolean;
}

/**
 * @param shown the live tenants by id. Default: all four, as they were before.
 * @param more what differs in the rollout.
 */
export function situation(
  {
    shown = { 1: {}, 2: {}, 3: {}, 4: {} },
    inputs = {},
    of = plan,
  }: { shown?: Record<number, Shown>; inputs?: Partial<FleetRolloutInputs>; of?: RolloutPlan } = {},
  more: Partial<Rollout> = {},
): Situation {
  const [ranked, newcomers] = [readMembers(of.members), readMembers(of.newcomers)];
  const keys = new Map([...ranked, ...newcomers].map(({ key, id }) => [id, key]));
  const tenants = Object.entries(shown).map(([id, one]): [number, RolloutTenant] => [
    Number(id),
    tenantOf(Number(id), keys.get(Number(id)) ?? id, one),
  ]);
  const integration = {
    record: { connectors: [{ name: "crm", isGlobal: false }] },
    connectorWords: { connectedStatuses: [], notConnectedStatuses: [] },
    runWords: { succeededStatuses: [], failedStatuses: [] },
  } as unknown as RolloutView["integration"];
  return {
    inputs: {
      fleetName: "billing",
      integrationId: 101,
      plan: of,
      waves: [{ name: "canary", tenants: ["a"] }, { percent: 50 }, { percent: 100 }],
      ...inputs,
    },
    rollout: { ...rolloutOf(of, undefined, clock), ...more },
    view: { integration, tenants: new Map(tenants), ranked, newcomers },
  };
}

/** A wave that has started, with the marks of its tenants. */
export function wave(marks: Record<number, Mark>, more: Partial<RunningWave> = {}): RunningWave {
  const of = Object.entries(marks).map(([id, mark]): [number, Mark] => [Number(id), mark]);
  return { name: "canary", startedAt: clock, joined: new Set(), marks: new Map(of), ...more };
}

/**
 * What can be done in a situation.
 *
 * @param violations of each tenant's configs. Default: they fit every release.
 */
export function nextIn(
  at: Situation,
  waitSeconds = 0,
  violations: { path: string[]; message: string; severity: "error" }[] = [],
): Promise<Next> {
  const schema = { violations: () => violations, withDefaults: () => ({}), isHidden: () => false };
  const client = { clock: () => new Date(clock), doubtedTime: () => undefined };
  const context = { configSchemaOf: () => schema, client };
  const releases = { all: async () => [], ofChannel: async () => undefined };
  const view = {
    ...at.view,
    integration: { ...at.view.integration, releases } as unknown as RolloutView["integration"],
  };
  return nextOf({ ...at, view, waitSeconds, context: context as unknown as OperationContext });
}

function tenantOf(id: number, key: string, shown: Shown): RolloutTenant {
  const { isOverridden = false, paused = false, isConnected = true, hasFailedRun = false } = shown;
  const status = {
    auth: { connected: isConnected, connectors: [{ name: "crm", status: isConnected ? "connected" : "disconnected" }] },
    last_run: hasFailedRun ? { id: 70 + id, status: "failed" } : {},
  };
  return {
    id,
    key,
    tenant: { id, name: key, paused, configs: {}, status } as unknown as RolloutTenant["tenant"],
    runs: "runs" in shown ? shown.runs : "901",
    isOverridden,
  };
}
