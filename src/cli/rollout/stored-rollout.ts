import { z } from "zod";
import { lenient } from "../../inputs/lenient.ts";
import { fleetRolloutStateSchema, strategyShape } from "../../resources/fleet-rollout/schema.ts";
import { type RolloutPlan, readMembers, rolloutPlanSchema } from "../../resources/tenant-fleet/rollout-plan.ts";
import type { ExportedResource } from "../exported-resources.ts";

const { approvals, onFailure, paused } = lenient(strategyShape);
const { fleetName, integrationId, waves, ...storedShape } = fleetRolloutStateSchema.shape;

/**
 * What `rollout` reads of the state of a `FleetRollout`. Settings may be missing or secret: without them, a report says
 * less, but not anything wrong.
 */
export const storedRolloutSchema = z.object({
  ...{ fleetName, integrationId },
  waves: waves.catch([]),
  ...{ approvals, onFailure, paused },
  planNumber: storedShape.planNumber,
  release: storedShape.release,
  label: storedShape.label,
  attempt: storedShape.attempt,
  direction: storedShape.direction,
  phase: storedShape.phase,
  status: storedShape.status,
  remaining: storedShape.remaining,
  tenants: storedShape.tenants,
  moved: storedShape.moved,
  startedWaves: storedShape.startedWaves,
  pendingSyncs: storedShape.pendingSyncs.catch({}),
  reasons: storedShape.reasons.catch({}),
  approvedReleases: storedShape.approvedReleases.catch([]),
  history: storedShape.history.catch([]),
  clock: storedShape.clock,
});

export type StoredRollout = z.infer<typeof storedRolloutSchema>;

/** What `rollout` reads of a fleet. */
export interface StoredFleet {
  urn: string;
  name: string;
  integrationId: number;
  /** Absent if the fleet has no rollout. */
  plan: RolloutPlan | undefined;
  /** The keys of its tenants by their ids. */
  keys: ReadonlyMap<number, string>;
}

const fleetSchema = z.object({
  name: z.string(),
  integrationId: z.int(),
  rolloutPlan: rolloutPlanSchema.optional().catch(undefined),
  tenantIds: z.record(z.string(), z.int()).catch({}),
});

/** The fleet of a resource; none if its state is not as this version of the package writes it. */
export function storedFleets({ urn, outputs }: ExportedResource): StoredFleet[] {
  const parsed = fleetSchema.safeParse(outputs);
  if (!parsed.success) return [];
  const { name, integrationId, rolloutPlan: plan, tenantIds } = parsed.data;
  const members = plan === undefined ? [] : [plan.members, plan.newcomers].flatMap(readMembers);
  const keys = new Map<number, string>();
  for (const { key, id } of members) if (key !== undefined) keys.set(id, key);
  for (const [key, id] of Object.entries(tenantIds)) keys.set(id, key);
  return [{ urn, name, integrationId, plan, keys }];
}
