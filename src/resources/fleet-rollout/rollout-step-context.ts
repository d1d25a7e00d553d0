import type { Tenant } from "../../api/index.ts";
import type { IntegrationScope } from "../../operation/integration-scope.ts";
import type { OperationContext } from "../../operation/operation-context.ts";
import { wait } from "../../operation/poll.ts";
import { isArchived, requireGone } from "../../operation/require-gone.ts";
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

type ViewBasis = Pick<RolloutStepContext, "context" | "inputs" | "integration" | "rollout">;

/** The tenants of the rollout, from a list that is read now. */
export async function freshView(basis: ViewBasis): Promise<RolloutView> {
  return viewOf(basis, await basis.integration.tenants.fetchFreshAll());
}

/** The tenants of the rollout as this step has last seen them, without another list unless that one lacks a tenant. */
export async function seenView(basis: ViewBasis): Promise<RolloutView> {
  return viewOf(basis, await basis.integration.tenants.all());
}

/**
 * The tenants of the rollout. A tenant that the list lacks is looked for again, as lists shift: it has left only if it is
 * archived, or in another integration.
 *
 * @throws Error if a tenant is in no list.
 */
async function viewOf(
  { context, inputs, integration, rollout }: ViewBasis,
  listed: ReadonlyMap<number, Tenant>,
): Promise<RolloutView> {
  const { members, newcomers } = inputs.plan;
  const ids = [...presentIds(readMembers(members)), ...presentIds(readMembers(newcomers))];
  const live = new Map(listed);
  for (const id of ids.filter((one) => !listed.has(one))) {
    if (isArchived(await integration.tenants.archived(id))) continue;
    const tenant = await integration.tenants.fetchFresh(id);
    if (tenant === undefined) await requireGone(context, id, integration);
    else live.set(id, tenant);
  }
  return rolloutViewOf(inputs.plan, integration, live, rollout);
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
 * The platform's time now, ISO 8601: the `Date` of its last response, and never earlier than the rollout's clock. Sets the
 * rollout's clock to it.
 */
export function platformNow({ client, warn }: OperationContext, rollout: Pick<Rollout, "clock">): string {
  const told = client.clock();
  if (told === undefined) warn("the platform's responses have no Date header: rollouts go by this machine's clock");
  const now = (told ?? new Date()).toISOString();
  rollout.clock = rollout.clock > now ? rollout.clock : now;
  return rollout.clock;
}

/** The time so many seconds after another, ISO 8601. */
export function secondsFrom(time: string, seconds: number): string {
  return new Date(Date.parse(time) + seconds * 1000).toISOString();
}
