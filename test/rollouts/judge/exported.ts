import { z } from "zod";
import type { EngineState } from "../../model/engine/state.ts";

// What a stack's state says of a fleet and its rollout, read without any code of the product.

const refsSchema = z.object({ most: z.string().optional(), others: z.record(z.string(), z.string()) });
const planSchema = z.object({
  number: z.int(),
  release: z.int(),
  attempt: z.int(),
  members: z.string(),
  newcomers: z.string(),
  before: refsSchema,
});
const fleetSchema = z.object({
  tenants: z.record(z.string(), z.object({ tenantId: z.int() })),
  rolloutPlan: planSchema.optional(),
});
const ids = z.string().transform((text) => (text === "" ? [] : text.split(" ").map(Number)));
const waveSchema = z.object({
  name: z.string(),
  open: ids,
  proven: ids,
  skipped: ids,
  left: ids,
  failed: ids,
  outcome: z.enum(["passed", "failed"]).optional(),
});
const rolloutSchema = z.object({
  planNumber: z.int(),
  release: z.int(),
  attempt: z.int(),
  direction: z.enum(["forward", "back"]),
  phase: z.enum(["progressing", "waiting", "failed", "done"]),
  status: z.string(),
  startedWaves: z.array(waveSchema),
  reasons: z.record(z.string(), z.string()),
  before: refsSchema,
  finished: z.int().optional(),
  history: z.array(z.object({ release: z.int(), outcome: z.string() })),
});

export type StartedWave = z.infer<typeof waveSchema>;
export type Rollout = z.infer<typeof rolloutSchema>;
type Refs = z.infer<typeof refsSchema>;

export interface Member {
  /** `undefined` if it has left. */
  readonly key: string | undefined;
  readonly id: number;
}

export interface Plan {
  readonly number: number;
  readonly release: number;
  readonly attempt: number;
  /** By rank. */
  readonly members: readonly Member[];
  readonly newcomers: readonly Member[];
  /** What a tenant ran before: the id of a release, or a channel. */
  before(id: number): string | undefined;
}

/** What is stored of a fleet and its rollout. */
export interface Stored {
  /** The tenants' ids by key. */
  readonly tenantIds: ReadonlyMap<string, number>;
  readonly plan: Plan | undefined;
  readonly rollout: Rollout | undefined;
}

export function storedOf(state: EngineState, fleet: string): Stored {
  const ofFleet = state.get(`TenantFleet ${fleet}`);
  const ofRollout = state.get(`FleetRollout ${fleet}`);
  const { tenants = {}, rolloutPlan } = ofFleet === undefined ? {} : fleetSchema.parse(ofFleet.outputs);
  return {
    tenantIds: new Map(Object.entries(tenants).map(([key, { tenantId }]) => [key, tenantId])),
    plan: rolloutPlan === undefined ? undefined : planOf(rolloutPlan),
    rollout: ofRollout === undefined ? undefined : rolloutSchema.parse(ofRollout.outputs),
  };
}

/** All tenants of a wave that has started. */
export function tenantsOf({ open, proven, skipped, left, failed }: StartedWave): number[] {
  return [...open, ...proven, ...skipped, ...left, ...failed];
}

function planOf({ members, newcomers, before, ...plan }: z.infer<typeof planSchema>): Plan {
  return {
    ...plan,
    members: membersIn(members),
    newcomers: membersIn(newcomers),
    before: (id) => refOf(before, id),
  };
}

function refOf({ most, others }: Refs, id: number): string | undefined {
  const own = Object.entries(others).find(([, text]) => text.split(" ").includes(String(id)));
  return own?.[0] ?? most;
}

/**
 * What a tenant ran before a plan, as far as it is stored: in the plan, and in the rollout before it, whose end and proofs
 * the plan does not know.
 */
export function storedBefore({ plan, rollout }: Stored, id: number): (string | undefined)[] {
  if (rollout === undefined || plan === undefined) return [plan?.before(id)];
  const { finished, release, startedWaves } = rollout;
  const isProven = finished === release || startedWaves.some(({ proven }) => proven.includes(id));
  return [plan.before(id), refOf(rollout.before, id), ...(isProven ? [String(release)] : [])];
}

function membersIn(text: string): Member[] {
  if (text === "") return [];
  return text.split(" ").map((member) => {
    const [key = "", id] = member.split("=");
    return { key: key === "" ? undefined : decodeURIComponent(key), id: Number(id) };
  });
}
