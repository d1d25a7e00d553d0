import { canSync } from "../../operation/tenant-connection.ts";
import { shareOf } from "../tenant-fleet/limits.ts";
import { cannotSync } from "./move.ts";
import { overriddenReason } from "./overridden.ts";
import { isAffected, marked, type Rollout, type RunningWave } from "./rollout.ts";
import { secondsFrom } from "./rollout-step-context.ts";
import type { RolloutView } from "./rollout-view.ts";
import { hasFailedSince } from "./run-status.ts";
import type { FleetRolloutInputs } from "./schema.ts";
import { stragglers } from "./waves.ts";

/** When the soak of a wave ends. */
export function soakEnd({ gate }: Pick<FleetRolloutInputs, "gate">, { name, provenAt = "" }: RunningWave): string {
  return secondsFrom(provenAt, name === stragglers ? 0 : (gate?.soakSeconds ?? 0));
}

/** Why a tenant is left that has moved, and has left the rollout since: it was removed, pinned, excluded or archived. */
export const goneUnproven = "it has left the rollout before it was proven";

/**
 * Whether too few tenants of a wave are proven. A wave in which nobody had to move needs none. Neither does one of tenants that came
 * during the rollout, if others have proven the release: such tenants may be paused and unconnected for weeks.
 */
export function needsProof(
  { gate }: Pick<FleetRolloutInputs, "gate">,
  wave: RunningWave,
  rollout: Rollout,
  { tenants, newcomers }: RolloutView,
): boolean {
  if (wave.name === stragglers) return false;
  const isIn = (id: number) => tenants.has(id) || rollout.reasons.get(id) === goneUnproven;
  const own = movedIn(wave, rollout).filter(isIn);
  const cameLater = new Set(newcomers.map(({ id }) => id)); // rollout.newcomers lacks those that have left
  const areNewcomers = own.every((id) => cameLater.has(id));
  if (areNewcomers && marked(rollout.waves, "proven").length > 0) return false;
  return own.length > 0 && marked([wave], "proven").length < (gate?.minTenants ?? 1);
}

/**
 * The tenants of a wave that the rollout moves, or has moved. One that failed counts although it ran the release before: an
 * unfinished rollout had proven it there, and a later one has moved it away.
 */
function movedIn({ marks }: RunningWave, rollout: Rollout): number[] {
  return [...marks].filter(([id, mark]) => mark === "failed" || isAffected(rollout, id)).map(([id]) => id);
}

/**
 * The tenants of a wave that have no proof and could be proven now: those that run the release, also if somebody has moved them
 * to it by hand, and those that were left because they could not sync or were overridden.
 */
export function provable(wave: RunningWave, { integration, tenants }: RolloutView, rollout: Rollout): number[] {
  return marked([wave], "skipped", "left").filter((id) => {
    const tenant = tenants.get(id);
    if (tenant === undefined || tenant.isOverridden || tenant.tenant.paused || !isAffected(rollout, id)) return false;
    if (canSync(tenant.tenant, integration).kind === "cannot") return false;
    if (tenant.runs === String(rollout.release)) return true;
    return [...Object.values(cannotSync), overriddenReason].some((reason) => reason === rollout.reasons.get(id));
  });
}

/** The tenants of a wave whose last run has failed, and began after they moved. */
export function failedSince(
  inputs: FleetRolloutInputs,
  wave: RunningWave,
  view: RolloutView,
  rollout: Rollout,
): number[] {
  return marked([wave], "proven", "skipped").filter((id) => {
    const tenant = view.tenants.get(id);
    const words = [inputs.gate ?? {}, view.integration.runWords];
    return tenant !== undefined && hasFailedSince(tenant, rollout.olderFailures.get(id), ...words);
  });
}

/** How many tenants may be moved and not yet proven. A percentage is rounded down, but one tenant is always allowed. */
export function unavailableMaximum({ maxUnavailable = "10%" }: FleetRolloutInputs, view: RolloutView): number {
  return Math.max(1, shareOf(maxUnavailable, view.tenants.size, Math.floor));
}

/** How many tenants of a wave may fail; a percentage is rounded down. In the first wave, none. */
export function failuresMaximum({ maxFailures = 0 }: FleetRolloutInputs, wave: RunningWave, rollout: Rollout): number {
  const first = rollout.waves.find((one) => movedIn(one, rollout).length > 0);
  return first === wave ? 0 : shareOf(maxFailures, wave.marks.size, Math.floor);
}
