import { clockToleranceSeconds, type Tenant } from "../../api/index.ts";
import type { IntegrationScope } from "../../operation/integration-scope.ts";
import type { OperationContext } from "../../operation/operation-context.ts";
import { platformTime, timeNow } from "../../operation/platform-time.ts";
import { wait } from "../../operation/poll.ts";
import { requireGone, settledTenant } from "../../operation/require-gone.ts";
import { presentIds, readMembers } from "../tenant-fleet/rollout-plan.ts";
import type { Rollout } from "./rollout.ts";
import { type RolloutView, rolloutViewOf } from "./rollout-view.ts";
import type { FleetRolloutInputs } from "./schema.ts";

/** After so many errors of the network or the platform, a step begins nothing more. */
export const errorsMaximum = 3;

/** What a step of a rollout works with. */
export interface RolloutStepContext {
  context: OperationContext;
  integration: IntegrationScope;
  inputs: FleetRolloutInputs;
  rollout: Rollout;
  time: WaitTime;
  sightings: Sightings;
  /** Errors that prove nothing about a release, such as those of the network. The next `up` goes on. */
  errors: unknown[];
}

/** How long a step may wait. */
export interface WaitTime {
  leftMilliseconds(): number;
}

/** The time that an operation may wait for all of its rollouts together, from the first one's start. */
export function createWaitTimes(): (waitSeconds: number) => WaitTime {
  let begunAt: number | undefined;
  return (waitSeconds) => {
    begunAt ??= performance.now();
    const end = begunAt + waitSeconds * 1000;
    return { leftMilliseconds: () => Math.max(0, end - performance.now()) };
  };
}

/** What a step knows of the tenants beyond the last list. */
export interface Sightings {
  /** The tenants as they were last seen. A list that lacks one does not remove it. */
  live: Map<number, Tenant>;
  /** The tenants that are archived or in another integration. */
  gone: Set<number>;
}

type ViewBasis = Pick<RolloutStepContext, "context" | "inputs" | "integration" | "rollout" | "sightings">;

/**
 * The tenants of the rollout, from a list that is read now. Lists shift, so a tenant that it lacks has left only if it is
 * archived, or in another integration.
 *
 * @throws Error if a tenant is in no list.
 */
export async function freshView(basis: ViewBasis): Promise<RolloutView> {
  const { inputs, integration, sightings } = basis;
  const listed = await integration.tenants.fetchFreshAll();
  const missing = membersOf(inputs).filter((id) => !listed.has(id) && !sightings.gone.has(id));
  const found = missing.length === 0 ? [] : await lookAgain(basis, missing);
  for (const [id, tenant] of [...listed, ...found]) sightings.live.set(id, tenant);
  return seenView(basis);
}

/** The tenants of the rollout as this step has last seen them, without another request. */
export async function seenView({ inputs, integration, rollout, sightings }: ViewBasis): Promise<RolloutView> {
  const listed = await integration.tenants.all();
  const live = membersOf(inputs).flatMap((id): [number, Tenant][] => {
    const tenant = sightings.gone.has(id) ? undefined : (listed.get(id) ?? sightings.live.get(id));
    return tenant === undefined ? [] : [[id, tenant]];
  });
  return rolloutViewOf(inputs.plan, integration, new Map(live), rollout);
}

/** Looks for tenants that a list lacks, and returns those that are live. The others are gone. */
async function lookAgain(
  { context, integration, sightings }: ViewBasis,
  ids: readonly number[],
): Promise<ReadonlyMap<number, Tenant>> {
  const live = new Map(await integration.tenants.fetchFreshAll());
  const missing = ids.filter((id) => !live.has(id));
  const archived = missing.length === 0 ? new Map<number, Tenant>() : await integration.tenants.fetchFreshArchived();
  for (const id of missing) {
    const tenant = archived.get(id);
    if (tenant?.archived === false) {
      live.set(id, tenant); // some platforms list live tenants there
      continue;
    }
    if (tenant === undefined) {
      const settled = await settledTenant(context, id, integration);
      if (settled !== undefined) {
        live.set(id, sightings.live.get(id) ?? settled); // the other lists shifted, or lag
        continue;
      }
      await requireGone(context, id, integration);
    }
    sightings.gone.add(id);
  }
  return live;
}

/** The ids of the tenants that the plan has and that have not left. */
function membersOf({ plan }: FleetRolloutInputs): number[] {
  return [plan.members, plan.newcomers].flatMap((members) => presentIds(readMembers(members)));
}

/**
 * Asks until the answer is true. Returns false once the time to wait is over, or `isStopped` says so. Unlike `poll`, it does
 * not ask once more after that time: the next `up` asks.
 *
 * @param pauses between the questions, in seconds. They double from the first to the longest.
 */
export async function waitUntil(
  { context, time }: Pick<RolloutStepContext, "context" | "time">,
  ask: () => Promise<boolean>,
  { pauses, isStopped = () => false }: { pauses: { first: number; longest: number }; isStopped?: () => boolean },
): Promise<boolean> {
  for (let pause = pauses.first; ; pause = Math.min(2 * pause, pauses.longest)) {
    if (await ask()) return true;
    const left = time.leftMilliseconds();
    if (left === 0 || isStopped()) return false;
    await wait(Math.min(pause * 1000, left), context.signal);
    if (isStopped()) return false;
  }
}

/**
 * The platform's time now, ISO 8601, and never earlier than the rollout's clock. Sets the rollout's clock to it. A time that
 * is not believed does not move that clock.
 */
export function platformNow({ client }: Pick<OperationContext, "client">, rollout: Pick<Rollout, "clock">): string {
  const { at, isBelieved } = timeNow(client);
  const now = at.toISOString();
  if (rollout.clock === "" || (isBelieved && now > rollout.clock)) rollout.clock = now;
  return rollout.clock;
}

/**
 * Sets back the rollout's times that lie in the future, as an earlier operation believed a wrong time: its soaks and deadlines
 * start again now. Does nothing as long as it is not known what time it is.
 *
 * @returns whether it has set any time back.
 */
export async function correctTimes(context: OperationContext, rollout: Rollout): Promise<boolean> {
  const { at, isBelieved } = await platformTime(context);
  const now = at.toISOString();
  if (!isBelieved || rollout.clock <= secondsFrom(now, clockToleranceSeconds)) return false;
  const corrected = (time: string) => (time > now ? now : time);
  for (const wave of rollout.waves) {
    wave.startedAt = corrected(wave.startedAt);
    if (wave.provenAt !== undefined) wave.provenAt = corrected(wave.provenAt);
  }
  for (const sync of rollout.pending.values()) {
    sync.since = corrected(sync.since);
    if (sync.failingSince !== undefined) sync.failingSince = corrected(sync.failingSince);
  }
  rollout.history = rollout.history.map((past) => ({ ...past, at: corrected(past.at) }));
  rollout.clock = now;
  return true;
}

/** The time so many seconds after another, ISO 8601. */
export function secondsFrom(time: string, seconds: number): string {
  return new Date(Date.parse(time) + seconds * 1000).toISOString();
}
