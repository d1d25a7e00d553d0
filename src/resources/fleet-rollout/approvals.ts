import { valueAt } from "../../json/key-path.ts";
import type { EarlierPlan } from "../../operation/previewed-plan.ts";
import type { Progress, Strategy } from "./schema.ts";

/** A rollout to which approvals may belong. */
type Approved = Pick<Progress, "label" | "release" | "approvedReleases">;

type GivenApproval = Progress["approvedReleases"][number];

/** What the last state of a rollout says of approvals, with those that its program declared. */
export type LastApprovals = Approved & Pick<Progress, "history"> & Pick<Strategy, "approvals">;

/** An approval of a wave. */
export interface Approval {
  /** What the user has written, such as `CHG-123`. */
  reference: string;
  /** The id of the release for which it was given, if its tag means another one now. */
  otherRelease?: number;
}

/** The approval of a wave that the program declares; `undefined` if there is none. */
export function declaredApproval(
  { label, release, approvedReleases }: Approved,
  approvals: Strategy["approvals"],
  wave: string,
): Approval | undefined {
  const reference = referenceAt(approvals, label, wave);
  if (reference === undefined) return undefined;
  const given = releaseGiven(approvedReleases, { label, wave, reference });
  return given === undefined || given === release ? { reference } : { reference, otherRelease: given };
}

/** What a wave waits for that needs an approval, as a path and a reason; `undefined` if it is approved. */
export function missingApproval(of: Approved, approvals: Strategy["approvals"], wave: string): string | undefined {
  const approval = declaredApproval(of, approvals, wave);
  const path = `approvals.${of.label}.${wave}`;
  if (approval === undefined) return path;
  const { reference, otherRelease } = approval;
  if (otherRelease === undefined) return undefined;
  return (
    `${path}: ${reference} approves release ${otherRelease}, and the tag ${of.label} has moved to release ${of.release} ` +
    "since. Approve that one with another reference"
  );
}

/**
 * The releases for which approvals were given. An approval belongs to the release that its tag means when an `up` first finds
 * it. If a tag has moved, and its new rollout begins in this `up`, an approval that is there already was given before, for the
 * former release; unless it takes the place of another reference, as an approval of the new one does. A reference keeps its
 * release, also if it is removed and declared again, until the state knows no rollout of its label any more.
 *
 * @param plan the plan of the rollout.
 * @param last the state of the `FleetRollout`, also of a fleet that was replaced.
 * @param hasBegun whether that state is of this rollout.
 */
export function approvedReleasesOf(
  { label, release, earlier }: Pick<Approved, "label" | "release"> & { earlier: readonly EarlierPlan[] },
  approvals: Strategy["approvals"] = {},
  last: LastApprovals | undefined,
  hasBegun: boolean,
): GivenApproval[] {
  const rollouts = [...earlier, ...(last === undefined ? [] : [last, ...last.history])];
  const former = hasBegun ? undefined : rollouts.find((one) => one.label === label)?.release;
  const known = givenBefore(last);
  const added = notIn(known, approvals, label).map((one) => {
    const replaced = referenceAt(last?.approvals, label, one.wave);
    const isOther = replaced !== undefined && releaseGiven(known, { ...one, reference: replaced }) !== undefined;
    return { ...one, release: isOther ? release : (former ?? release) };
  });
  const labels = new Set([label, ...Object.keys(approvals), ...rollouts.map((one) => one.label)]);
  return [...known.filter((one) => labels.has(one.label)), ...added];
}

/** The approvals of which the last state knows. Those of an earlier version belong to the release of its rollout. */
function givenBefore(last: LastApprovals | undefined): readonly GivenApproval[] {
  if (last === undefined) return [];
  const { approvedReleases, approvals, label, release } = last;
  return [...approvedReleases, ...notIn(approvedReleases, approvals, label).map((one) => ({ ...one, release }))];
}

/** The declared approvals of a label whose releases are not known. */
function notIn(
  known: readonly GivenApproval[],
  approvals: Strategy["approvals"] = {},
  label: string,
): Omit<GivenApproval, "release">[] {
  const waves = Object.entries(approvals).flatMap(([of, entries]) => (of === label ? Object.entries(entries) : []));
  return waves
    .map(([wave, reference]) => ({ label, wave, reference }))
    .filter((one) => releaseGiven(known, one) === undefined);
}

function releaseGiven(
  known: readonly GivenApproval[],
  { label, wave, reference }: Omit<GivenApproval, "release">,
): number | undefined {
  return known.find((one) => one.label === label && one.wave === wave && one.reference === reference)?.release;
}

function referenceAt(approvals: Strategy["approvals"], label: string, wave: string): string | undefined {
  const found: unknown = valueAt(approvals, [label, wave]);
  return typeof found === "string" ? found : undefined;
}
