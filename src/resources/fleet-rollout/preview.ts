import { valueAt } from "../../json/key-path.ts";
import { shortList } from "../../json/short-list.ts";
import { isUnknown } from "../../json/unknown.ts";
import type { OperationContext } from "../../operation/operation-context.ts";
import type { PreviewedPlan } from "../../operation/previewed-plan.ts";
import { parseUrn } from "../../operation/urn.ts";
import { readMembers } from "../tenant-fleet/rollout-plan.ts";
import { approvedReleasesOf, missingApproval } from "./approvals.ts";
import { canGoBack, failedBefore, hasFailed, idsIn, isOf, type PlanOrigin, progressOf, supersededBy } from "./begin.ts";
import { describeRollout } from "./failure.ts";
import { type Next, standOf, startedWaves } from "./next.ts";
import { overriddenReason } from "./overridden.ts";
import { releaseRefOf } from "./release-ref.ts";
import { pausedBack, type Rollout, readProgress } from "./rollout.ts";
import { describeMember, type RolloutView } from "./rollout-view.ts";
import {
  type FleetRolloutInputs,
  type FleetRolloutState,
  fleetRolloutInputsSchema,
  type Progress,
  strategyShape,
} from "./schema.ts";
import type { RolloutFleet } from "./strategy-problems.ts";
import { plannedWaves, type Ranking, type StartedMembers, waveName } from "./waves.ts";
import { createdOn } from "./way-back.ts";

/** What is known of the rollout's fleet; `undefined` if the fleet is not part of this operation. */
export function previewedFleet(context: OperationContext, inputs: object): RolloutFleet | undefined {
  const plan = previewedPlan(context, inputs);
  if (plan === undefined) return undefined;
  const { keys, pinned, excluded, label } = plan;
  return { keys: new Set(keys), pinned: new Set(pinned), excluded: new Set(excluded), label };
}

/**
 * Tells the user the waves of a rollout that `up` begins, or that it is the way back, as far as a preview knows it.
 *
 * @param last the rollout so far.
 */
export async function noteNewPlan(context: OperationContext, inputs: object, last?: FleetRolloutState): Promise<void> {
  const { fleetName, waves, approvals, onFailure, paused = false } = previewedSchema.safeParse(inputs).data ?? {};
  if (fleetName === undefined || waves === undefined) return;
  const known = fleetRolloutInputsSchema.shape.plan.safeParse(valueAt(inputs, ["plan"])).data;
  const announced = previewedPlan(context, inputs);
  const plan = known ?? announced;
  if (plan === undefined) return;
  const stored = "number" in plan ? progressOf(plan, last) : progressOfPreviewed(plan, last);
  if (!("number" in plan) && !plan.isNew) {
    if (stored !== undefined)
      noteKeptPlan(context, describeRollout({ fleetName }, plan), { onFailure, paused, stored });
    return;
  }
  const [ranked, newcomers] = [plan.members, plan.newcomers].map((members) =>
    typeof members === "string" ? readMembers(members) : members,
  );
  const title = describeRollout({ fleetName }, plan);
  if (stored !== undefined && isWayBack(plan, stored)) {
    const moved = list(await keysOfMoved(context, ranked ?? [], plan, stored));
    if (paused) context.warn(`${title}: paused, so up takes nobody back; without paused it takes back ${moved}`);
    else context.note(`${title}: up takes back ${moved}`);
    return;
  }
  if (stored !== undefined && hasFailed({ ...plan, history: stored.history })) {
    const goesBack = onFailure === "rollback" && canGoBack({ ...stored, release: plan.release, waves: [] });
    context.warn(`${title}: ${failedBefore(plan)}${goesBack ? describeWayBack(paused) : ""}`);
    return;
  }
  if (announced !== undefined && (await areThere(context, announced))) {
    context.note(`${title}: its tenants run it already`);
    return;
  }
  const hasBegun = stored !== undefined && "number" in plan && isOf(plan, stored);
  const approvedReleases = approvedReleasesOf(plan, approvals, last, hasBegun);
  const lines = waveLines(
    { waves, approvals },
    { ...plan, approvedReleases },
    { ranked: ranked ?? [], newcomers: newcomers ?? [] },
    [],
  );
  context.note(`${title}:${lines}`);
}

/** Tells the user where a rollout stands whose fleet changes in this `up`, and what `up` does about it. */
function noteKeptPlan(
  context: OperationContext,
  title: string,
  { onFailure, paused, stored }: Pick<FleetRolloutInputs, "onFailure"> & { paused: boolean; stored: FleetRolloutState },
): void {
  const { direction, reasons, status } = stored;
  const rollout = readProgress(stored, []);
  const isAnyOverridden = Object.values(reasons).includes(overriddenReason);
  const isBackUnfinished = direction === "back" && isAnyOverridden && !paused;
  const late = isBackUnfinished ? "; up takes back those whose override has ended" : "";
  if (rollout.failure !== undefined) {
    const goesBack = onFailure === "rollback" && direction === "forward" && canGoBack(rollout);
    context.warn(`${title}: ${rollout.failure}${goesBack ? describeWayBack(paused) : late}`);
  } else if (stored.phase !== "done") context.note(`${title}: ${status}; up goes on after the fleet`);
  else if (late !== "") context.note(`${title}: ${status}${late}`);
}

function describeWayBack(isPaused: boolean): string {
  return isPaused ? pausedBack : "; up takes the tenants back to what they ran before";
}

/** Tells the user where the rollout stands, what `up` does now, and the waves after it. */
export function notePlan(
  context: OperationContext,
  { inputs, rollout, view }: { inputs: FleetRolloutInputs; rollout: Rollout; view: RolloutView },
  next: Next,
): void {
  const title = describeRollout(inputs, rollout);
  if (next.kind === "rest" && (next.phase === "failed" || next.phase === "done")) {
    if (next.phase === "failed") context.warn(`${title}: ${next.status}`);
    return;
  }
  const started = startedWaves(rollout, view);
  const isOnTheWay = rollout.direction === "forward" && rollout.phase !== "done" && rollout.phase !== "failed";
  const lines = isOnTheWay ? waveLines(inputs, rollout, view, started) : "";
  context.note(`${title}: ${describeNext(inputs, rollout, view, next)}${lines}`);
}

function describeNext(inputs: FleetRolloutInputs, rollout: Rollout, view: RolloutView, next: Next): string {
  if (next.kind === "rest") return next.status;
  if (next.kind === "back") {
    if (next.only === undefined) return "up takes the tenants back to what they ran before";
    const isToTake = (id: number) => view.tenants.has(id) && view.tenants.get(id)?.runs !== rollout.before.get(id);
    const keys = next.only.filter(isToTake).map((id) => describeMember(view, id));
    return keys.length === 0 ? "nobody is left to take back" : `up takes ${list(keys)} back to what they ran before`;
  }
  if (next.kind === "finish") return "all waves have passed";
  if (next.kind === "go on") return `${standOf({ inputs, rollout, view }, next.wave)}; up goes on with it`;
  const keys = next.members.map((id) => describeMember(view, id));
  if (next.kind === "stragglers") return `up moves ${list(keys)}, which are on another release`;
  return `${standOf({ inputs, rollout, view })}; up starts ${next.name}`;
}

/** The stored progress of a previewed plan's fleet; `undefined` if it is of a fleet that is replaced. */
function progressOfPreviewed(
  { isNew, earlier, members }: PreviewedPlan,
  stored: FleetRolloutState | undefined,
): FleetRolloutState | undefined {
  if (stored === undefined || !isNew || earlier.length > 0) return stored;
  const known = new Set(idsIn(stored));
  return members.some(({ id }) => id !== undefined && known.has(id)) ? stored : undefined;
}

/** Whether a plan goes back to what the tenants ran before a rollout that has not finished. */
function isWayBack(plan: PlanOrigin, stored: Progress): boolean {
  return plan.release === stored.finished && supersededBy(plan, readProgress(stored, [])).length > 0;
}

/**
 * The keys of the tenants that run the target of the stored rollout, or of one that it supersedes. Those that ran it before these
 * rollouts stay, unless the fleet created them there.
 */
async function keysOfMoved(
  { snapshot }: OperationContext,
  members: readonly { key: string | undefined; id?: number | undefined }[],
  plan: PlanOrigin,
  stored: FleetRolloutState,
): Promise<string[]> {
  const live = await snapshot.tenantsOf(stored.integrationId).all();
  const undone = new Set(supersededBy(plan, readProgress(stored, [])).map(String));
  const created = new Set(createdOn(undone, plan.earlier, stored));
  const { before, origins } = readProgress(
    stored,
    members.flatMap(({ id }) => id ?? []),
  );
  return members.flatMap(({ key, id }) => {
    const tenant = id === undefined ? undefined : live.get(id);
    if (key === undefined || id === undefined || tenant === undefined) return [];
    const runs = releaseRefOf(tenant);
    const isFromThere = (origins.get(id) ?? before.get(id)) === runs && !created.has(id);
    return undone.has(runs ?? "") && !isFromThere ? [key] : [];
  });
}

type Approvals = FleetRolloutInputs["approvals"];

/** A line for each wave that has not started: its tenants, and what it waits for. */
function waveLines(
  { waves, approvals }: { waves: FleetRolloutInputs["waves"]; approvals?: Approvals },
  rollout: Pick<Progress, "label" | "release" | "approvedReleases">,
  ranking: Ranking<{ key: string | undefined }>,
  started: readonly StartedMembers<{ key: string | undefined }>[],
): string {
  const planned = plannedWaves(waves, ranking, started);
  const lines = planned.map((members, index) => {
    const wave = waves[started.length + index] ?? {};
    const keys = members.flatMap(({ key }) => key ?? []);
    const missing = wave.approval === undefined ? undefined : missingApproval(rollout, approvals, wave.name ?? "");
    const waits = missing === undefined ? "" : `; waits for ${missing}`;
    return `\n  ${waveName(wave)}: ${list(keys)}${waits}`;
  });
  return lines.join("");
}

function list(keys: readonly string[]): string {
  if (keys.length === 0) return "no tenants";
  return `${keys.length === 1 ? "1 tenant" : `${keys.length} tenants`}: ${shortList(keys)}`;
}

const previewedSchema = fleetRolloutInputsSchema
  .pick({ fleetName: true })
  .extend({
    waves: strategyShape.waves.catch([]),
    approvals: strategyShape.approvals.catch(undefined),
    onFailure: strategyShape.onFailure.catch(undefined),
    paused: strategyShape.paused.catch(undefined),
  })
  .loose();

/** Whether all tenants of a plan run its release, those that `up` creates included. */
async function areThere({ snapshot }: OperationContext, plan: PreviewedPlan): Promise<boolean> {
  const live = await snapshot.tenantsOf(plan.integrationId).all();
  return [...plan.members, ...plan.newcomers].every(({ id }) => {
    const tenant = id === undefined ? undefined : live.get(id);
    return tenant === undefined ? plan.from === undefined : releaseRefOf(tenant) === String(plan.release);
  });
}

/**
 * The plan that the fleet has announced in this operation. Without the fleet's URN, fleets of one name cannot be told apart if
 * they have one integration, or if a preview does not know it.
 */
function previewedPlan({ previewedPlans, warn }: OperationContext, inputs: object): PreviewedPlan | undefined {
  const [urn, name, integrationId] = ["fleetUrn", "fleetName", "integrationId"].map((key) => valueAt(inputs, [key]));
  if (typeof urn === "string") return previewedPlans.get(parseUrn(urn).logicalName);
  const [found, ...others] = [...previewedPlans.values()].filter(
    (one) => one.fleet === name && (isUnknown(integrationId) || one.integrationId === integrationId),
  );
  if (others.length === 0) return found;
  warn(
    `${others.length + 1} fleets have the name "${String(name)}". Without fleetUrn at each FleetRollout, the waves of their ` +
      "rollouts are neither checked nor shown in a preview",
  );
  return undefined;
}
