import { valueAt } from "../../json/key-path.ts";
import type { EarlierPlan } from "../../operation/previewed-plan.ts";
import type { Progress, Strategy } from "./schema.ts";

/** A rollout to which approvals may belong. */
type Approved = Pick<Progress, "label" | "release" | "approvedReleases">;

type Given = Progress["approvedReleases"][string][string];

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
  const given = givenAt(approvedReleases, label, wave);
  if (given?.reference !== reference || given.release === release) return { reference };
  return { reference, otherRelease: given.release };
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
 * The releases for which the declared approvals were given. An approval belongs to the release that its tag means when an `up`
 * first finds it. If a tag has moved, and its new rollout begins in this `up`, an approval that is there already was given
 * before, for the former release; unless it takes the place of another reference, as an approval of the new one does.
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
): Progress["approvedReleases"] {
  const rollouts = [...earlier, ...(last === undefined ? [] : [last, ...last.history])];
  const former = hasBegun ? undefined : rollouts.find((one) => one.label === label)?.release;
  const labels = Object.entries(approvals).map(([of, waves]) => {
    const given = Object.entries(waves).flatMap(([wave, reference]): [string, Given][] => {
      const before = lastGiven(last, of, wave);
      if (before?.reference === reference) return [[wave, before]];
      const meant = before === undefined ? (former ?? release) : release;
      return of === label ? [[wave, { reference, release: meant }]] : [];
    });
    return [of, Object.fromEntries(given)] as const;
  });
  return Object.fromEntries(labels.filter(([, given]) => Object.keys(given).length > 0));
}

/** What the last state knows of an approval. One of an earlier version belongs to the release of its rollout. */
function lastGiven(last: LastApprovals | undefined, label: string, wave: string): Given | undefined {
  const reference = last?.label === label ? referenceAt(last.approvals, label, wave) : undefined;
  const ofState = last === undefined || reference === undefined ? undefined : { reference, release: last.release };
  return givenAt(last?.approvedReleases ?? {}, label, wave) ?? ofState;
}

function referenceAt(approvals: Strategy["approvals"], label: string, wave: string): string | undefined {
  const found: unknown = valueAt(approvals, [label, wave]);
  return typeof found === "string" ? found : undefined;
}

function givenAt(known: Progress["approvedReleases"], label: string, wave: string): Given | undefined {
  const ofLabel = Object.hasOwn(known, label) ? known[label] : undefined;
  return ofLabel !== undefined && Object.hasOwn(ofLabel, wave) ? ofLabel[wave] : undefined;
}
