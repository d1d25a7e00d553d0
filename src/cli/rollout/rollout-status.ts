import { approvedReleasesOf, missingApproval } from "../../resources/fleet-rollout/approvals.ts";
import { readIds } from "../../resources/fleet-rollout/ids.ts";
import type { PastRollout, Progress } from "../../resources/fleet-rollout/schema.ts";
import { inOrder, plannedWaves, waveName } from "../../resources/fleet-rollout/waves.ts";
import { type RolloutPlan, readMembers } from "../../resources/tenant-fleet/rollout-plan.ts";
import type { StoredFleet, StoredRollout } from "./stored-rollout.ts";

/** Where a rollout stands. */
export interface Rollout {
  /** URN of the resource `FleetRollout`, for `pulumi up --target`. */
  urn: string;
  fleet: string;
  /** The release that it takes the tenants to: its tag, or its id. */
  release: string;
  releaseId: number;
  attempt: number;
  direction: Progress["direction"];
  phase: Progress["phase"];
  /** The status in words. */
  status: string;
  /** How many tenants were seen on the release, of how many. */
  moved: number;
  tenants: number;
  onFailure: "pause" | "rollback";
  isPaused: boolean;
  waves: WaveStatus[];
  /** The tenants that have failed, were left, moved without a proof for a reason, or are still open, in this order. */
  exceptions: TenantException[];
  /** What a person must do after the end; empty if nothing. */
  remaining: string;
  /** When the last `up` looked at the platform, by the platform's clock; absent before the first. */
  asOf?: string;
  history: PastRollout[];
}

export interface WaveStatus {
  name: string;
  state: "passed" | "failed" | "moving" | "soaking" | "not started";
  /** How many tenants it has. Absent before its start if the state does not have the fleet's plan. */
  tenants?: number;
  /** How many of its tenants are in which state; all are 0 before its start. */
  proven: number;
  skipped: number;
  left: number;
  failed: number;
  open: number;
  startedAt?: string;
  /** The start of its soak: the last proof, or when none of its tenants was open any more. */
  provenAt?: string;
  /** What must happen before it starts. */
  waitsFor: string[];
}

export interface TenantException {
  tenantId: number;
  /** Its key in the fleet; absent if it has left the fleet. */
  tenant?: string;
  /** Absent if it was left on the way back. */
  wave?: string;
  outcome: "failed" | "left" | "skipped" | "open";
  reason?: string;
  /** Of an open tenant: since when it is on the release, and the trigger of its sync. */
  since?: string;
  trigger?: string | undefined;
}

/** A rollout in the state; `fleet` is its fleet, if the state has it. */
export function rolloutOf(urn: string, state: StoredRollout, fleet: StoredFleet | undefined): Rollout {
  const plan = fleet?.plan;
  if (plan !== undefined && plan.number !== state.planNumber) {
    return plannedRollout(urn, state.fleetName, plan, state);
  }
  const isOver = state.phase === "done" || state.direction === "back";
  const waves = [...state.startedWaves.map(startedWave), ...(isOver ? [] : unstartedWaves(state, plan))];
  return {
    urn,
    fleet: state.fleetName,
    release: state.label,
    releaseId: state.release,
    attempt: state.attempt,
    direction: state.direction,
    phase: state.phase,
    status: state.status,
    moved: state.moved,
    tenants: state.tenants,
    onFailure: state.onFailure ?? "pause",
    isPaused: state.paused ?? false,
    waves,
    exceptions: exceptionsOf(state, fleet?.keys ?? new Map()),
    remaining: state.remaining,
    asOf: state.clock,
    history: state.history,
  };
}

/** The rollout that a fleet has planned, and that no `up` has begun. */
export function plannedRollout(urn: string, fleet: string, plan: RolloutPlan, state?: StoredRollout): Rollout {
  const members = [plan.members, plan.newcomers].flatMap(readMembers).filter(({ key }) => key !== undefined);
  const { label, attempt } = plan;
  return {
    urn,
    fleet,
    release: label,
    releaseId: plan.release,
    attempt,
    direction: "forward",
    phase: "progressing",
    status: "planned: no `up` has started this rollout yet",
    moved: 0,
    tenants: members.length,
    onFailure: state?.onFailure ?? "pause",
    isPaused: state?.paused ?? false,
    waves: state === undefined ? [] : unstartedWaves(begun(plan, state), plan),
    exceptions: [],
    remaining: "",
    ...(state === undefined ? {} : { asOf: state.clock }),
    history: state?.history ?? [],
  };
}

/** A stored rollout as the `up` finds it that begins the one of another plan. */
function begun(plan: RolloutPlan, state: StoredRollout): StoredRollout {
  const { release, label } = plan;
  const approvedReleases = approvedReleasesOf(plan, state.approvals, state, false);
  return { ...state, release, label, startedWaves: [], approvedReleases };
}

/** A wave in a sentence: `wave early`, or its name alone if that begins with `wave`. */
export function waveOf(name: string): string {
  return name.startsWith("wave ") ? name : `wave ${name}`;
}

type StartedWave = StoredRollout["startedWaves"][number];

function startedWave({ name, outcome, startedAt, provenAt, ...lists }: StartedWave): WaveStatus {
  const count = (ids: string) => readIds(ids).length;
  const counts = {
    proven: count(lists.proven),
    skipped: count(lists.skipped),
    left: count(lists.left),
    failed: count(lists.failed),
    open: count(lists.open),
  };
  return {
    name,
    state: outcome ?? (provenAt === undefined || counts.open > 0 ? "moving" : "soaking"),
    tenants: Object.values(counts).reduce((sum, one) => sum + one, 0),
    ...counts,
    startedAt,
    ...(provenAt === undefined ? {} : { provenAt }),
    waitsFor: [],
  };
}

function unstartedWaves(rollout: StoredRollout, plan: RolloutPlan | undefined): WaveStatus[] {
  const { waves: declared, startedWaves, approvals } = rollout;
  const started = startedWaves.map(({ name }) => name);
  const waves = inOrder(declared, started);
  const sizes = plan && sizesOfUnstarted(waves, startedWaves, plan);
  return waves.slice(startedWaves.length).map((wave, index): WaveStatus => {
    const at = startedWaves.length + index;
    const name = waveName(wave);
    const before = waves[at - 1];
    const isNext = at === 0 || startedWaves[at - 1]?.outcome === "passed";
    const approval = wave.approval === "required" ? missingApproval(rollout, approvals, name) : undefined;
    return {
      name,
      state: "not started",
      ...(sizes === undefined ? {} : { tenants: sizes[index] ?? 0 }),
      ...{ proven: 0, skipped: 0, left: 0, failed: 0, open: 0 },
      waitsFor: [
        ...(isNext || before === undefined ? [] : [waveOf(startedWaves[at - 1]?.name ?? waveName(before))]),
        ...(approval === undefined ? [] : [approval]),
      ],
    };
  });
}

/** How many tenants the waves that have not started are going to have. */
function sizesOfUnstarted(waves: StoredRollout["waves"], started: readonly StartedWave[], plan: RolloutPlan): number[] {
  const [ranked, newcomers] = [readMembers(plan.members), readMembers(plan.newcomers)];
  const byId = new Map([...ranked, ...newcomers].map((member) => [member.id, member]));
  const before = started.map(({ open, proven, skipped, left, failed, joined }) => {
    const membersOf = (lists: readonly string[]) => lists.flatMap(readIds).flatMap((id) => byId.get(id) ?? []);
    return { members: membersOf([open, proven, skipped, left, failed]), joined: new Set(membersOf([joined])) };
  });
  const planned = plannedWaves(waves, { ranked, newcomers }, before);
  return planned.map((members) => members.filter(({ key }) => key !== undefined).length);
}

function exceptionsOf({ startedWaves, reasons, pendingSyncs }: StoredRollout, keys: ReadonlyMap<number, string>) {
  const isListed = new Set<number>();
  const exception = (tenantId: number, outcome: TenantException["outcome"], wave?: string): TenantException => {
    isListed.add(tenantId);
    const [tenant, reason] = [keys.get(tenantId), reasons[tenantId]];
    return {
      tenantId,
      ...(tenant === undefined ? {} : { tenant }),
      ...(wave === undefined ? {} : { wave }),
      outcome,
      ...(reason === undefined ? {} : { reason }),
      ...(outcome === "open" ? pendingSyncs[tenantId] : {}),
    };
  };
  const of = (outcome: TenantException["outcome"]) =>
    startedWaves.flatMap((wave) => readIds(wave[outcome]).map((id) => exception(id, outcome, wave.name)));
  const [failed, left, skipped, open] = [of("failed"), of("left"), of("skipped"), of("open")];
  // The way back has no waves.
  const others = Object.keys(reasons)
    .map(Number)
    .filter((id) => !isListed.has(id));
  const leftOnWayBack = others.map((id) => exception(id, "left"));
  return [...failed, ...left, ...leftOnWayBack, ...skipped.filter(({ reason }) => reason !== undefined), ...open];
}
