import { canGoBack } from "./begin.ts";
import { marked, type Rollout, type RunningWave } from "./rollout.ts";
import { describeMember, type RolloutView } from "./rollout-view.ts";
import { logPathOf } from "./run-status.ts";
import type { FleetRolloutInputs } from "./schema.ts";

const shownMaximum = 20;

/** The start of messages about a rollout: `rollout of fleet "billing" to v1.3.0`. */
export function describeRollout(
  { fleetName }: Pick<FleetRolloutInputs, "fleetName">,
  { label, attempt }: Pick<Rollout, "label" | "attempt">,
): string {
  return `rollout of fleet "${fleetName}" to ${label}${attempt === 1 ? "" : ` (attempt ${attempt})`}`;
}

/** Why a wave failed, in one line. */
export function failureReason(wave: RunningWave, maximum: number): string {
  const failed = marked([wave], "failed").length;
  const tenants = failed === 1 ? "1 tenant" : `${failed} tenants`;
  if (failed <= maximum) return `wave ${wave.name}: tenants that failed take all places of maxUnavailable`;
  return `wave ${wave.name}: ${tenants} failed, and ${maximum === 0 ? "none may fail" : `at most ${maximum} may`}`;
}

/** The error of the `up` that finds a failure: what failed, on which tenants, why, and what to do next. */
export function describeFailure(
  inputs: FleetRolloutInputs,
  rollout: Rollout,
  view: RolloutView,
  wave: RunningWave,
  reason: string,
): string {
  const ids = marked([wave], "failed");
  const lines = ids.slice(0, shownMaximum).map((id) => {
    const tenant = view.tenants.get(id);
    const log = tenant && logPathOf(tenant);
    const failed = rollout.reasons.get(id) ?? "failed";
    const where = log === undefined || failed.includes(log) ? "" : `; the log of its last run: ${log}`;
    return `\n  ${describeMember(view, id)}: ${failed}${where}`;
  });
  const more = ids.length > lines.length ? `\n  and ${ids.length - lines.length} more` : "";
  return (
    `${describeRollout(inputs, rollout)} has failed, ${reason}. Nobody else moves:${lines.join("")}${more}\n` +
    `  ${describeWayBack(inputs, rollout)}; to go on, set a newer release, or raise attempt to try this one again`
  );
}

/** What to do after a failure, in the status. */
export function nextAfterFailure(rollout: Rollout): string {
  if (!canGoBack(rollout)) return "Move all tenants at once, set a newer release, or raise attempt";
  return isFormerDeclarable(rollout)
    ? "Set the release back or to a newer one, or raise attempt"
    : "Set onFailure: rollback or a newer release, or raise attempt";
}

/** Whether the program can declare the release from before: not if the tenants followed a channel. */
function isFormerDeclarable({ finished, release }: Rollout): boolean {
  return finished !== undefined && finished !== release;
}

function describeWayBack({ onFailure }: FleetRolloutInputs, rollout: Rollout): string {
  if (!canGoBack(rollout)) return "To take the tenants back, move all of them at once (docs/guides/rollouts.md)";
  if (onFailure === "rollback")
    return "The next up takes all of them back to what they ran before (onFailure: rollback)";
  return `To take the tenants back, set ${isFormerDeclarable(rollout) ? "the release to the one before" : "onFailure: rollback"}`;
}
