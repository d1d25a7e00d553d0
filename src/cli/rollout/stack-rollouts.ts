import { describeIssues } from "../../inputs/describe-issues.ts";
import { didYouMean } from "../../inputs/did-you-mean.ts";
import { withoutControlCharacters } from "../../json/one-line.ts";
import { type ExportedResource, exportedResources } from "../exported-resources.ts";
import type { Place } from "../shell.ts";
import type { StackChoice } from "../stack-choice.ts";
import { CommandError } from "../subcommand.ts";
import { plannedRollout, type Rollout, rolloutOf } from "./rollout-status.ts";
import { type StoredFleet, type StoredRollout, storedFleets, storedRolloutSchema } from "./stored-rollout.ts";

/** The rollouts of a stack, as its state has them. */
export interface StackRollouts {
  /** Absent if neither the command line nor the state names it. */
  stack: string | undefined;
  project: string | undefined;
  rollouts: Rollout[];
  /** Rollouts whose state is not as this version of the package writes it. */
  unreadable: UnreadableRollout[];
}

export interface UnreadableRollout {
  urn: string;
  problem: string;
}

/** Which rollouts a command line asks for. */
export interface RolloutChoice extends StackChoice {
  /** Name of a fleet, or the URN of its rollout. Default: the rollouts of all fleets. */
  fleet?: string | undefined;
}

/**
 * Reads the rollouts of a stack.
 *
 * @throws CommandError if the state cannot be read, or the stack has no rollout of the fleet.
 */
export async function readRollouts(place: Place, { fleet, ...choice }: RolloutChoice): Promise<StackRollouts> {
  const { stack, project, resources } = await exportedResources(place, choice);
  const fleets = resources.filter(({ type }) => type === "TenantFleet").flatMap(storedFleets);
  const read = resources.filter(({ type }) => type === "FleetRollout").map(readRollout);
  const stored = read.flatMap((one) => ("state" in one ? [one] : []));
  const fleetsOf = new Map(stored.map((one) => [one.urn, fleetOf(one, fleets)]));
  const begun = new Set(fleetsOf.values());
  const all = [
    ...stored.map(({ urn, state }) => rolloutOf(urn, state, fleetsOf.get(urn))),
    // A fleet whose rollout was held back: the engine creates it only once the fleet's own step has succeeded.
    ...fleets.filter((one) => !begun.has(one)).flatMap(rolloutToCreate),
  ].sort((left, right) => (left.fleet < right.fleet ? -1 : 1));
  const rollouts = all.filter((one) => fleet === undefined || one.fleet === fleet || one.urn === fleet);
  const unreadable = read.flatMap((one) => ("problem" in one ? [one] : []));
  if (fleet !== undefined && rollouts.length === 0 && unreadable.length === 0) throw unknownFleet(fleet, all);
  return { stack, project, rollouts, unreadable };
}

/** A rollout in the state. */
interface ReadRollout {
  urn: string;
  state: StoredRollout;
  /** The URNs of the resources from which its plan comes. */
  planFrom: readonly string[];
}

function readRollout({ urn, outputs, propertyDependencies }: ExportedResource): ReadRollout | UnreadableRollout {
  const parsed = storedRolloutSchema.safeParse(outputs);
  if (parsed.success) return { urn, state: parsed.data, planFrom: propertyDependencies.plan ?? [] };
  const [issue] = describeIssues(parsed.error.issues, storedRolloutSchema, outputs);
  const problem = issue === undefined ? "is not as expected" : `${issue.path.join(".")} ${issue.reason}`;
  return { urn, problem: withoutControlCharacters(problem) };
}

/** The fleet of a rollout: the one with its plan, as fleets under different parents may have one name. */
function fleetOf({ state, planFrom }: ReadRollout, fleets: readonly StoredFleet[]): StoredFleet | undefined {
  return (
    fleets.find(({ urn }) => planFrom.includes(urn)) ??
    fleets.find((one) => state.fleetName === one.name && state.integrationId === one.integrationId)
  );
}

/** The rollout that a fleet has planned, with the URN that it gets in the stack project: the fleet's, with its own type. */
function rolloutToCreate({ plan, name: fleet, urn: fleetUrn }: StoredFleet): Rollout[] {
  if (plan === undefined) return [];
  const [urnKind, project, types = "", ...name] = fleetUrn.split("::");
  const urn = [urnKind, project, types.replace(/TenantFleet$/, "FleetRollout"), ...name].join("::");
  return [plannedRollout(urn, fleet, plan)];
}

function unknownFleet(name: string, all: readonly Rollout[]): CommandError {
  const names = all.map(({ fleet }) => fleet);
  const hint = didYouMean(name, names);
  return new CommandError(`the stack has no rollout of a fleet "${name}"${hint}`);
}
