import { defined } from "../../json/defined.ts";
import { readIds, writeIds } from "./ids.ts";
import { type ReleaseRef, readReleaseRefs, writeReleaseRefs } from "./release-ref.ts";
import { type Progress, progressSchema, type StartedWave } from "./schema.ts";

/**
 * How a tenant of a started wave stands: see the lists of a started wave in the state. `left` means left as it is, as with the
 * gate's `whenPaused: "leave"`. Such a tenant may have moved before.
 */
export type Mark = "open" | "proven" | "skipped" | "left" | "failed";

const marks: readonly Mark[] = ["open", "proven", "skipped", "left", "failed"];

/** A wave that has started, and how each of its tenants stands. */
export interface RunningWave extends Omit<StartedWave, Mark | "joined"> {
  joined: Set<number>;
  marks: Map<number, Mark>;
}

/** The gate's sync of a tenant. */
export interface PendingSync {
  trigger?: string | undefined;
  since: string;
  /** Since when it cannot be requested, or its status cannot be read, because of errors of the platform or the network. */
  failingSince?: string | undefined;
}

/** The progress of a rollout while it is worked on. Unlike the stored form, it is changed in place. */
export interface Rollout
  extends Omit<
    Progress,
    | "startedWaves"
    | "pendingSyncs"
    | "reasons"
    | "olderFailures"
    | "newcomers"
    | "before"
    | "origins"
    | "tenants"
    | "moved"
  > {
  waves: RunningWave[];
  pending: Map<number, PendingSync>;
  reasons: Map<number, string>;
  olderFailures: Map<number, string>;
  newcomers: ReadonlySet<number>;
  before: Map<number, ReleaseRef | undefined>;
  origins: Map<number, ReleaseRef>;
}

/** The end of the status of a failed rollout that would take its tenants back if it were not paused. */
export const pausedBack = "; paused, so nobody is taken back";

/**
 * @param progress may be a whole state. Its declared settings are left out: the next state has those of its own inputs.
 * @param ids the tenants of the plan.
 */
export function readProgress(progress: Progress, ids: readonly number[]): Rollout {
  const {
    startedWaves,
    pendingSyncs,
    reasons,
    olderFailures,
    newcomers,
    before,
    origins,
    tenants: _,
    moved: __,
    ...rest
  } = progressSchema.parse(progress);
  return {
    ...rest,
    ...defined({ failure: failureOf(rest) }),
    waves: startedWaves.map(readWave),
    pending: byId(pendingSyncs),
    reasons: byId(reasons),
    olderFailures: byId(olderFailures),
    newcomers: new Set(readIds(newcomers)),
    before: readReleaseRefs(before, ids),
    origins: new Map(Object.entries(origins).flatMap(([ref, own]) => readIds(own).map((id) => [id, ref] as const))),
  };
}

/** The failure, which in a state of an earlier version only the status tells. */
function failureOf({ failure, phase, status }: Pick<Progress, "failure" | "phase" | "status">): string | undefined {
  return failure ?? (phase === "failed" ? status.replace(pausedBack, "") : undefined);
}

/** @param counts how many tenants the rollout has, and how many are on its release. */
export function writeProgress(rollout: Rollout, counts: Pick<Progress, "tenants" | "moved">): Progress {
  const { waves, pending, reasons, olderFailures, newcomers, before, origins, ...rest } = rollout;
  return {
    ...rest,
    ...counts,
    startedWaves: waves.map(writeWave),
    pendingSyncs: Object.fromEntries([...pending].map(([id, sync]) => [id, defined({ ...sync })])),
    reasons: Object.fromEntries(reasons),
    olderFailures: Object.fromEntries(olderFailures),
    newcomers: writeIds(newcomers),
    before: writeReleaseRefs(before),
    origins: writeReleaseRefs(origins, false).others,
  };
}

function readWave({ open, proven, skipped, left, failed, joined, ...wave }: StartedWave): RunningWave {
  const lists = { open, proven, skipped, left, failed };
  return {
    ...wave,
    joined: new Set(readIds(joined)),
    marks: new Map(marks.flatMap((mark) => readIds(lists[mark]).map((id) => [id, mark] as const))),
  };
}

function writeWave({ marks: of, joined, ...wave }: RunningWave): StartedWave {
  const list = (wanted: Mark) => writeIds([...of].filter(([, mark]) => mark === wanted).map(([id]) => id));
  const lists = {
    open: list("open"),
    proven: list("proven"),
    skipped: list("skipped"),
    left: list("left"),
    failed: list("failed"),
    joined: writeIds(joined),
  };
  return defined({ ...wave, ...lists });
}

/** The tenants of a wave, or of all waves, with one of these marks. */
export function marked(waves: readonly RunningWave[], ...wanted: readonly Mark[]): number[] {
  return waves.flatMap((wave) => [...wave.marks].filter(([, mark]) => wanted.includes(mark)).map(([id]) => id));
}

/** How a tenant stands in the last of the waves that it is in; `undefined` if it is in no started wave. */
export function markOf({ waves }: Pick<Rollout, "waves">, id: number): Mark | undefined {
  return waves.findLast((wave) => wave.marks.has(id))?.marks.get(id);
}

/** Stores that the tenants of these waves that are on the release run it from now on: it is what later rollouts find. */
export function keepRelease({ before, release }: Rollout, waves: readonly RunningWave[]): void {
  for (const id of marked(waves, "proven", "skipped", "failed")) before.set(id, String(release));
}

/** Whether the rollout moves a tenant: it did not run the release before, or it has moved and its proof is to come. */
export function isAffected(
  { before, release, pending }: Pick<Rollout, "before" | "release" | "pending">,
  id: number,
): boolean {
  return before.get(id) !== String(release) || pending.has(id);
}

function byId<Value>(entries: Readonly<Record<string, Value>>): Map<number, Value> {
  return new Map(Object.entries(entries).map(([id, value]) => [Number(id), value]));
}
