/**
 * What the check or the diff of a fleet expects of its next rollout plan. In a preview, a `FleetRollout` shows its waves with
 * it, as the plan itself is an output of the fleet that only `up` knows.
 */
export interface PreviewedPlan {
  integrationId: number;
  /** Name of the fleet. Fleets under different parents may share it. */
  fleet: string;
  /** Id of the target. */
  release: number;
  /** The target in messages and in `approvals`: its tag, or its id if it has none. */
  label: string;
  attempt: number;
  /** The keys of all declared tenants. */
  keys: readonly string[];
  /** The tenants that declare a release of their own. */
  pinned: readonly string[];
  excluded: readonly string[];
  /** The tenants of the rollout, by rank. */
  members: readonly PreviewedMember[];
  /** The tenants that come to a rollout that is under way. */
  newcomers: readonly PreviewedMember[];
  /** Whether it is another plan than the stored one. */
  isNew: boolean;
  /** The release or channel on which a rollout that is under way creates tenants; `undefined` if there is none. */
  from: string | undefined;
  /** The fleet's plans before this one, the last first. */
  earlier: readonly EarlierPlan[];
}

/** What a plan stores of one before it. */
export interface EarlierPlan {
  number: number;
  release: number;
  /** A state of an earlier version lacks it. */
  label?: string | undefined;
  joined: string;
  created?: string | undefined;
}

/** A tenant of a {@link PreviewedPlan}. One that has no id is created by `up`. */
export interface PreviewedMember {
  key: string;
  id?: number | undefined;
}
