import { setTimeout as sleep } from "node:timers/promises";
import { ApiError, type Tenant } from "../../api/index.ts";
import { integrationScope } from "../../operation/integration-scope.ts";
import type { OperationContext } from "../../operation/operation-context.ts";
import { poll } from "../../operation/poll.ts";
import { reasonToWait } from "../../resources/tenant/waiting.ts";
import { orUnknownName, UnknownNameError } from "../../snapshot/index.ts";
import { CommandError } from "../subcommand.ts";
import { type Failure, patchAll, type Target } from "./patch-all.ts";

/**
 * How the change of a tenant ended: a list has shown it, or the tenant is archived, or why it failed. One that `isWaiting` cannot be
 * resumed before its customer has connected it.
 */
export type Outcome = { kind: "done" } | { kind: "archived" } | { kind: "failed"; problem: string; isWaiting?: true };

/** What a caller wants, and who hears how far it is. */
export interface PausedChange {
  paused: boolean;
  /** @param done how many requests have ended, of all. */
  onProgress?: (done: number, all: number) => void;
}

/** Pauses before tenants are written again, in seconds. */
const retryPauses = [1, 3];

/** How often a tenant is missing from lists in a row before it counts as gone: pages shift while tenants change. */
const missingMaximum = 2;

/**
 * Pauses or resumes tenants, and nothing else of them. What counts is what a list shows afterwards. A request whose response
 * was lost, or which the platform could not serve, is repeated unless a list shows its effect.
 *
 * @throws CommandError if the lists that show the effects cannot be read.
 */
export async function setPaused(
  context: OperationContext,
  targets: readonly Target[],
  { paused, onProgress }: PausedChange,
): Promise<ReadonlyMap<number, Outcome>> {
  const outcomes = new Map<number, Outcome>();
  let left = targets;
  for (const pauseSeconds of [...retryPauses, undefined]) {
    if (left.length === 0) break;
    const failures = await patchAll(context.client, left, paused, onProgress);
    for (const [id, outcome] of await verified(context, left, { paused, failures })) outcomes.set(id, outcome);
    left = left.filter(({ id }) => outcomes.get(id)?.kind === "failed" && failures.get(id)?.isTemporary);
    if (pauseSeconds === undefined || left.length === 0) break;
    await sleep(pauseSeconds * 1000);
  }
  return outcomes;
}

interface Requested {
  paused: boolean;
  failures: ReadonlyMap<number, Failure>;
}

/** What lists show, once they show each change that the platform accepted, or the time for that has passed. */
async function verified(
  context: OperationContext,
  targets: readonly Target[],
  { paused, failures }: Requested,
): Promise<Map<number, Outcome>> {
  const timesMissing = new Map<number, number>();
  const isSettled = (seen: ReadonlyMap<number, Tenant>, { id }: Target) => {
    const tenant = seen.get(id);
    if (tenant === undefined) return (timesMissing.get(id) ?? 0) >= missingMaximum;
    return tenant.paused === paused || failures.has(id);
  };
  const seen = await poll({
    ask: async () => {
      const tenants = await freshTenants(context, targets);
      for (const { id } of targets) timesMissing.set(id, tenants.has(id) ? 0 : (timesMissing.get(id) ?? 0) + 1);
      return tenants;
    },
    isDone: (tenants) => targets.every((target) => isSettled(tenants, target)),
    deadlineSeconds: context.consistencyTimeoutSeconds,
    pauses: { first: 0.2, longest: 2 },
    signal: context.signal,
  }).catch((error: unknown) => {
    throw unverified(error, paused);
  });

  const unseen = await unseenTenants(
    context,
    targets.filter(({ id }) => !seen.has(id)),
  );
  const live = new Map([...unseen.live, ...seen]);
  const outcomeOf = async ({ id, integrationId }: Target): Promise<Outcome> => {
    const tenant = live.get(id);
    if (tenant?.paused === paused) return { kind: "done" };
    const mayWait = !paused && (failures.get(id)?.mayWait ?? !failures.has(id));
    const unconnected = tenant && mayWait ? await whyUnconnected(context, tenant, integrationId) : undefined;
    if (unconnected !== undefined) {
      const problem = `its customer must connect it first, as ${unconnected}. Then run the same command again`;
      return { kind: "failed", problem, isWaiting: true };
    }
    const problem =
      failures.get(id)?.problem ??
      `the platform accepted the request, but no list showed its effect within ${context.consistencyTimeoutSeconds} s`;
    return { kind: "failed", problem };
  };
  const outcomes = targets.map(
    async (target) => [target.id, unseen.outcomes.get(target.id) ?? (await outcomeOf(target))] as const,
  );
  return new Map(await Promise.all(outcomes));
}

async function whyUnconnected(
  context: OperationContext,
  tenant: Tenant,
  integrationId: number,
): Promise<string | undefined> {
  const integration = await orUnknownName(integrationScope(context, integrationId));
  return integration instanceof UnknownNameError ? undefined : reasonToWait({ tenant }, integration);
}

/** The live tenants of the targets' integrations, from lists that begin now. */
export async function freshTenants(
  { snapshot }: OperationContext,
  targets: readonly Target[],
): Promise<ReadonlyMap<number, Tenant>> {
  const lists = integrationsOf(targets).map((id) => snapshot.tenantsOf(id).fetchFreshAll());
  return new Map((await Promise.all(lists)).flatMap((list) => [...list]));
}

/** Tenants that lists of live tenants lack. */
export interface UnseenTenants {
  /** Those that lists of archived tenants show as live, as some platforms do. */
  live: ReadonlyMap<number, Tenant>;
  /** The outcomes of all others. */
  outcomes: ReadonlyMap<number, Outcome>;
}

/**
 * Looks for tenants in lists of archived tenants that begin now, and then in those of all integrations. A tenant that is not
 * there either has failed: it was not archived, but an API key of another account gets empty lists.
 */
export async function unseenTenants(
  { snapshot }: OperationContext,
  targets: readonly Target[],
): Promise<UnseenTenants> {
  const lists = integrationsOf(targets).map((id) => snapshot.tenantsOf(id).fetchFreshArchived());
  const listed = new Map((await Promise.all(lists)).flatMap((list) => [...list]));
  if (targets.some(({ id }) => !listed.has(id))) {
    const everyone = snapshot.tenantsOf();
    for (const [id, tenant] of await everyone.fetchFreshArchived()) listed.set(id, tenant);
    for (const [id, tenant] of await everyone.fetchFreshAll()) listed.set(id, { ...tenant, archived: false });
  }
  const live = new Map([...listed].filter(([, { archived }]) => archived === false));
  const others = targets.filter(({ id }) => !live.has(id));
  return { live, outcomes: new Map(others.map(({ id }) => [id, listed.has(id) ? { kind: "archived" } : notListed])) };
}

const notListed: Outcome = {
  kind: "failed",
  problem:
    "no list shows it, neither as live nor as archived: the API key is probably of another account. Use a key of its account",
};

function integrationsOf(targets: readonly Target[]): number[] {
  return [...new Set(targets.map(({ integrationId }) => integrationId))];
}

function unverified(error: unknown, paused: boolean): unknown {
  if (!(error instanceof ApiError)) return error;
  const what = paused ? "pause" : "resume";
  return new CommandError(
    `the requests to ${what} the tenants were sent, but the list that shows their effect failed: ${error.message}. ` +
      `The note lists the tenants: run the same command again`,
    { cause: error },
  );
}
