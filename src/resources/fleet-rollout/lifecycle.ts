import { isDeepStrictEqual } from "node:util";
import { ApiError, AuthenticationError } from "../../api/index.ts";
import { shapeFailures } from "../../inputs/input-schema.ts";
import { formatPath, valueAt } from "../../json/key-path.ts";
import { hasUnknown, isUnknown } from "../../json/unknown.ts";
import { integrationScope } from "../../operation/integration-scope.ts";
import type { OperationContext } from "../../operation/operation-context.ts";
import { type Difference, IncompleteError, type Lifecycle } from "../lifecycle.ts";
import { approvedReleasesOf } from "./approvals.ts";
import { isOf, progressOf, rolloutOf, takeAsFound } from "./begin.ts";
import { frozenSeconds } from "./calendar.ts";
import { describeRollout } from "./failure.ts";
import { readIds } from "./ids.ts";
import { countMoved, firstToMove, interruptedStatus, nextOf } from "./next.ts";
import { noteNewPlan, notePlan, previewedFleet } from "./preview.ts";
import { describeRefusal } from "./refusal.ts";
import { type Rollout, writeProgress } from "./rollout.ts";
import {
  correctTimes,
  createWaitTimes,
  freshView,
  platformNow,
  type RolloutStepContext,
  secondsFrom,
  seenView,
} from "./rollout-step-context.ts";
import { type RolloutView, rolloutViewOf } from "./rollout-view.ts";
import { remainingOf, runStep } from "./run-step.ts";
import {
  type FleetRolloutInputs,
  type FleetRolloutState,
  fleetRolloutInputsSchema,
  type Strategy,
  strategyShape,
} from "./schema.ts";
import { strategyProblems } from "./strategy-problems.ts";
import { inOrder } from "./waves.ts";

const waitSecondsDefault = 120;

/**
 * The lifecycle of a rollout. The inputs are documented at `FleetRolloutArgs`. What it does, and why it stores what, is in
 * docs/decisions/rollouts.md.
 */
export function fleetRolloutLifecycle(
  context: OperationContext,
): Lifecycle<FleetRolloutInputs, FleetRolloutState, undefined> {
  const waitTimes = createWaitTimes();
  /** The fleets whose rollouts the program has declared. Only then is a diff one of the program, and not one of a refresh. */
  const declaredFleets = new Set<unknown>();

  return {
    check: async (inputs, old) => {
      const failures = shapeFailures(fleetRolloutInputsSchema, inputs);
      if (failures.length > 0) return failures;
      const problems = strategyProblems(inputs, previewedFleet(context, inputs));
      declaredFleets.add(fleetOf(inputs));
      if (problems.length === 0 && old === undefined) await noteNewPlan(context, inputs);
      return problems.map(({ path, reason }) => ({ property: formatPath(path), reason }));
    },

    diff: (_, state, inputs) => context.ownership.duringCheck(() => diff(state, inputs)),

    create: async (inputs) => {
      const id = `${inputs.integrationId}/${inputs.fleetName}`;
      return { id, state: await work(id, undefined, inputs) };
    },

    read: async (_, state) => ({ inputs: undefined, state }),

    update: (id, state, inputs) => work(id, state, inputs),

    delete: async () => {}, // the tenants stay where they are

    import: importFleetRollout,
  };

  async function diff(state: FleetRolloutState, inputs: object): Promise<Difference> {
    const integrationId = valueAt(inputs, ["integrationId"]);
    if (!isUnknown(integrationId) && integrationId !== state.integrationId) {
      return { isChanged: true, replaces: ["integrationId"] };
    }
    // a refresh compares the state with the inputs of the last up that succeeded: no drift can be in it
    if (!declaredFleets.has(fleetOf(inputs))) return { isChanged: false };
    if (hasUnknown(inputs)) {
      await noteNewPlan(context, inputs, state);
      return { isChanged: true };
    }
    const declared = fleetRolloutInputsSchema.parse(inputs);
    const integration = await integrationScope(context, declared.integrationId);
    const rollout = rolloutNow(declared, progressOf(declared.plan, state), state, state.clock);
    const view = rolloutViewOf(declared.plan, integration, await integration.tenants.all(), rollout);
    const isCorrected = await correctTimes(context, rollout);
    platformNow(context, rollout);
    const waitSeconds = declared.waitSeconds ?? waitSecondsDefault;
    const ordered = inStartedOrder(declared, rollout);
    const next = await nextOf({ context, inputs: ordered, rollout, view, waitSeconds });
    notePlan(context, { inputs: ordered, rollout, view }, next);
    const isChanged = !isDeepStrictEqual(declaredOf(state), declaredOf(declared)) || !isOf(declared.plan, state);
    const isRemainingOther = (await remainingOf(integration, rollout)) !== rollout.remaining;
    // the end of a soak or of a freeze changes the phase without any work; after the end, tenants come and go
    const isStale =
      next.kind === "rest" && (next.phase !== state.phase || (next.phase === "done" && next.status !== state.status));
    const hasNewcomerLeft = readIds(state.newcomers).some((id) => !rollout.newcomers.has(id));
    const mustBeStored = isRemainingOther || isStale || hasNewcomerLeft || isCorrected;
    return { isChanged, isUnfinished: next.kind !== "rest" || mustBeStored };
  }

  function beginWithoutState(inputs: FleetRolloutInputs, rollout: Rollout, view: RolloutView): void {
    const found = takeAsFound(rollout, view, inputs.plan, new Set(firstToMove(inputs, rollout, view)));
    if (found.length === 0) return;
    context.warn(
      `${describeRollout(inputs, rollout)}: ${found.length === 1 ? "1 tenant runs" : `${found.length} tenants run`} it already, ` +
        "and the state does not say how they came to. They are taken as they are: not synced, and not taken back by a rollback",
    );
  }

  /** Does what can be done now, and returns the new state. */
  async function work(
    id: string,
    last: FleetRolloutState | undefined,
    inputs: FleetRolloutInputs,
  ): Promise<FleetRolloutState> {
    const integration = await integrationScope(context, inputs.integrationId);
    const stored = progressOf(inputs.plan, last);
    const rollout = rolloutNow(inputs, stored, last, stored?.clock ?? "");
    const sightings = { live: new Map(), gone: new Set<number>() };
    const start = await freshView({ context, inputs, integration, rollout, sightings });
    await correctTimes(context, rollout);
    platformNow(context, rollout);
    if (stored === undefined) beginWithoutState(inputs, rollout, start);
    else leaveOutHeldTime(rollout, stored);
    const time = waitTimes(inputs.waitSeconds ?? waitSecondsDefault);
    const ordered = inStartedOrder(inputs, rollout);
    const step: RolloutStepContext = { context, integration, inputs: ordered, rollout, time, sightings, errors: [] };
    const failure = await runStep(step, start).catch((error: unknown) => {
      step.errors.push(error);
      rollout.status = interruptedStatus({ inputs: step.inputs, rollout, view: start });
      return undefined;
    });
    const view = await seenView(step);
    rollout.remaining = await remainingOf(integration, rollout);
    const counts = { tenants: view.tenants.size, moved: countMoved(rollout, view) };
    const state = { ...declaredOf(inputs), ...writeProgress(rollout, counts) };
    const title = describeRollout(inputs, rollout);
    if (failure !== undefined) throw new IncompleteError(id, state, new Error(failure));
    if (step.errors.length > 0) throw new IncompleteError(id, state, new Error(describeErrors(title, step.errors)));
    if (rollout.phase === "failed") context.warn(`${title}: ${rollout.status}`);
    else context.note(`${title}: ${rollout.status}`);
    if (rollout.remaining !== "") context.note(`${title}: ${rollout.remaining}`);
    return state;
  }
}

/** The rollout as an operation finds it, with the releases for which the declared approvals are. */
function rolloutNow(
  { plan, approvals }: FleetRolloutInputs,
  stored: FleetRolloutState | undefined,
  last: FleetRolloutState | undefined,
  clock: string,
): Rollout {
  const hasBegun = stored !== undefined && isOf(plan, stored);
  const approvedReleases = approvedReleasesOf(plan, approvals, last, hasBegun);
  return { ...rolloutOf(plan, stored, clock), approvedReleases };
}

/** What identifies the fleet: its URN, or its name if a program does not give that. */
function fleetOf(inputs: object): unknown {
  return valueAt(inputs, ["fleetUrn"]) ?? valueAt(inputs, ["fleetName"]);
}

/** Makes the deadlines later by the time since the last `up` in which the rollout was paused or frozen: nobody was watching. */
function leaveOutHeldTime(rollout: Rollout, stored: FleetRolloutState): void {
  const [from, to] = [new Date(stored.clock), new Date(rollout.clock)];
  if (to <= from) return; // the stored time was wrong
  const seconds = stored.paused === true ? (to.getTime() - from.getTime()) / 1000 : frozenSeconds(stored, from, to);
  for (const sync of rollout.pending.values()) {
    sync.since = secondsFrom(sync.since, seconds);
    if (sync.failingSince !== undefined) sync.failingSince = secondsFrom(sync.failingSince, seconds);
  }
}

/** Without the platform's own messages: the engine stores this one with the state. */
function describeErrors(title: string, errors: readonly unknown[]): string {
  const [first] = errors;
  const own = first instanceof Error ? first.message : String(first);
  const message = first instanceof ApiError && first.status !== undefined ? describeRefusal(first) : own;
  const advice = first instanceof AuthenticationError ? ". Check the API key" : "";
  const more = errors.length === 1 ? "" : ` (and ${errors.length - 1} more errors)`;
  return `${title} could not go on; the next up does: ${message}${more}${advice}`;
}

/** The inputs with the waves that have started first. */
function inStartedOrder(inputs: FleetRolloutInputs, { waves }: Rollout): FleetRolloutInputs {
  const started = waves.map(({ name }) => name);
  return { ...inputs, waves: inOrder(inputs.waves, started) };
}

type Declared = Strategy & Pick<FleetRolloutInputs, "fleetName" | "integrationId">;

const declaredKeys = [...Object.keys(strategyShape), "fleetName", "integrationId"];

/** What the program declares of a rollout, without the plan, which the fleet stores. */
function declaredOf(properties: Declared): Declared;
function declaredOf(properties: object): object {
  return Object.fromEntries(
    declaredKeys.flatMap((key) => {
      const value = valueAt(properties, [key]);
      return value === undefined ? [] : [[key, value]];
    }),
  );
}

/** Refuses to import a rollout: the platform shows what each tenant runs, but not which wave took it there and what proved it. */
async function importFleetRollout(id: string): Promise<never> {
  throw new Error(
    `a FleetRollout cannot be imported (id "${id}"): the platform reports the release of each tenant, but nothing of the ` +
      "rollout that moved it. Import the TenantFleet, and declare a FleetRollout without an import: it takes the tenants " +
      "from what they run to the release that the fleet's rollout names",
  );
}
