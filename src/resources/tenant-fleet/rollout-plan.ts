import { z } from "zod";
import { releaseRefs } from "../fleet-rollout/release-ref.ts";

/**
 * What the rollout of a fleet moves, as the fleet stores it before anything is moved (docs/guides/rollouts.md). The lists are
 * strings: a list of thousands of numbers would take ten times the space in a state.
 */
export const rolloutPlanSchema = z.object({
  /** The number of this rollout among those of the fleet, from 1. */
  number: z.int(),
  /** Id of the target. */
  release: z.int(),
  /** The target in messages and in `approvals`: its tag, or its id if it has none. */
  label: z.string(),
  attempt: z.int(),
  /** The release or channel of tenants that come while the rollout is under way: `"501"` or `"Latest"`. */
  from: z.string().optional(),
  /** The tenants, by rank, as `key=id`: see {@link writeMembers}. Those that have left are `=id`, so that no other moves up. */
  members: z.string(),
  /** The tenants that came later, in the order in which they came. */
  newcomers: z.string(),
  /** The ids of members whose override is in force. The rollout leaves them as they are until it has ended. */
  overridden: z.string().optional(),
  /** What each tenant ran before: see {@link releaseRefs}. */
  before: releaseRefs,
  /**
   * The ids of those members that the plan before this one did not rank: its newcomers, and tenants that it never had or that
   * had left it.
   */
  joined: z.string(),
  /**
   * The ids of those members that the fleet has created on the release, or on that of an earlier rollout, after its first rollout
   * began. A state of an earlier version lacks it: then those that joined count as created.
   */
  created: z.string().optional(),
  /** The plans before this one, the last first, at most 20. Those of an earlier version lack the label. */
  earlier: z.array(
    z.object({
      number: z.int(),
      release: z.int(),
      label: z.string().optional(),
      joined: z.string(),
      created: z.string().optional(),
    }),
  ),
});

export type RolloutPlan = z.infer<typeof rolloutPlanSchema>;

/** A tenant in a plan. */
export interface PlanMember {
  /** Its key in the fleet; `undefined` if it has left the rollout: it was removed, pinned or excluded. */
  key: string | undefined;
  id: number;
}

/** Members as a string: `acme=1003 beta=1004`. Keys are encoded like parts of a URL, as they may have spaces. */
export function writeMembers(members: readonly PlanMember[]): string {
  return members.map(({ key, id }) => `${key === undefined ? "" : encodeURIComponent(key)}=${id}`).join(" ");
}

/** The members of a string that {@link writeMembers} wrote. */
export function readMembers(text: string): PlanMember[] {
  if (text === "") return [];
  return text.split(" ").map((member) => {
    const [key = "", id] = member.split("=");
    return { key: key === "" ? undefined : decodeURIComponent(key), id: Number(id) };
  });
}

/** The ids of those members that have not left. */
export function presentIds(members: readonly PlanMember[]): number[] {
  return members.flatMap(({ key, id }) => (key === undefined ? [] : [id]));
}
