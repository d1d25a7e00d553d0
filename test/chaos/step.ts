import { shortcomingsOf } from "./checks/errors.ts";
import { hasRolloutFailed, isOnlyRolloutChanged } from "./checks/rollout-end.ts";
import { type Disturb, nothingBesides, type Strikes, sumOf } from "./disturbances/disturbance.ts";
import type { Random } from "./random.ts";
import type { Difference } from "./reader.ts";
import { type Repaired, repair, repairsMaximum } from "./repair.ts";
import { ownLive, type Scene } from "./scene.ts";

/** One command of a round, disturbed. */
export interface Step {
  readonly name: string;
  readonly command: "up" | "destroy";
  readonly disturb: Disturb;
  readonly usualRequests: number;
  /** Whether more `up`s carry the rollout to its end. Otherwise it may be under way. */
  readonly endsRollout: boolean;
}

export interface StepOutcome {
  readonly name: string;
  readonly code: number | null;
  /** Whether the command, or the last one of its repair, succeeded. */
  readonly isDone: boolean;
  /** Whether the command, or a part of it, may have been killed. */
  readonly isKilled: boolean;
  readonly repairs: number;
  readonly strikes: Strikes;
  readonly requests: number;
  readonly explained: number;
  readonly violations: readonly string[];
}

/** Runs a command under its disturbance, repairs what that has left, and checks what must hold at each moment. */
export async function playStep(scene: Scene, random: Random, step: Step): Promise<StepOutcome> {
  const { platform } = scene;
  const { name, command } = step;
  const violations: string[] = [];
  const note = (texts: readonly string[]) => void violations.push(...texts.map((text) => `${name}: ${text}`));
  await platform.clearRequests();

  const disturbance = await step.disturb({ ...scene, ...step, random });
  const running = scene.start([command, "--yes", "--skip-preview"], disturbance.env);
  const [end] = await Promise.all([running.ended, disturbance.during?.(running)]);
  const struck = await disturbance.end();
  note(disturbance.violations?.(end, { ...nothingBesides, fails: hasRolloutFailed(end.printed) }) ?? []);
  note(await scene.findProviders(end.printed));
  note(await scene.findSecrets()); // before a repair writes another state over this one
  scene.addEnv(disturbance.repairEnv ?? {});

  let explained = 0;
  const readAfter = async (what: string): Promise<readonly Difference[]> => {
    const found = await scene.read();
    const { unexplained } = (await disturbance.explain?.(found)) ?? { unexplained: found };
    explained += found.length - unexplained.length;
    note(unexplained.slice(0, 5).map((difference) => `${what} ended with 0, but ${told(difference)}`));
    return found;
  };
  const isLeft = async (what: string) => command === "up" && (await readAfter(what)).length > 0;
  if (end.code !== 0 && !disturbance.kills) {
    note(shortcomingsOf(end.printed, await platform.requests(), disturbance.isAway));
  }
  const isStopped = wasStopped(end.printed);
  // the engine can end with 0 all the same, and the README tells to run the command again in any case
  const stoppedWell = isStopped && end.code === 0;
  const unfinished =
    stoppedWell && (command === "destroy" ? (await ownLive(platform)).length > 0 : (await scene.read()).length > 0);
  const strikes = unfinished ? sumOf([struck, { [`stopped ${command} that ended with 0, unfinished`]: 1 }]) : struck;
  const needsRepair = end.code !== 0 || isStopped || (await isLeft("the disturbed command"));
  let repaired: Repaired = { repairs: 0, end, failed: [] };
  if (needsRepair) {
    repaired = await repair(scene, command, { wasKilled: disturbance.kills, after: end });
    const seen = await platform.requests();
    for (const { printed } of repaired.failed) note(shortcomingsOf(printed, seen, disturbance.isAway));
    if (repaired.end.code !== 0)
      note([`not repaired by ${repairsMaximum} more commands: ${tail(repaired.end.printed)}`]);
  }
  const requests = (await platform.requests()).length;
  if (repaired.end.code === 0 && command === "up") note(await leftAfterRepair(scene, random, step.endsRollout));
  if (violations.length > 0) await scene.keepRequests(name);
  return {
    name,
    code: end.code,
    isDone: repaired.end.code === 0,
    isKilled: disturbance.kills,
    repairs: repaired.repairs,
    strikes,
    requests,
    explained,
    violations,
  };
}

function wasStopped(printed: string): boolean {
  return /(\^C|SIGINT|SIGTERM) received; cancelling/.test(printed);
}

/** A rollout of four waves needs five; tenants that were left or archived on the way need some more. */
const rolloutUpsMaximum = 10;

async function leftAfterRepair(scene: Scene, random: Random, endsRollout: boolean): Promise<string[]> {
  const found = (await scene.read()).map((difference) => `after the repair ${told(difference)}`).slice(0, 10);
  const refresh = random.pick([[], [], ["--refresh=false"]]);
  for (let ups = 0; ; ups += 1) {
    const preview = await scene.run(["preview", "--expect-no-changes", ...refresh]);
    if (preview.code === 0) return found;
    if (!isOnlyRolloutChanged(preview.printed))
      return [...found, `after the repair a preview shows changes: ${tail(preview.printed)}`];
    if (!endsRollout) return found;
    if (ups === rolloutUpsMaximum)
      return [...found, `the rollout has not ended after ${ups} more ups: ${tail(preview.printed)}`];
    const { code, printed } = await scene.run(["up", "--yes", "--skip-preview"]);
    if (code === 0) continue;
    if (!hasRolloutFailed(printed)) return [...found, `an up that carries the rollout on fails: ${tail(printed)}`];
    found.push(...shortcomingsOf(printed, await scene.platform.requests()));
  }
}

function told({ tenant, what, declared, live }: Difference): string {
  return `${tenant}: ${what} is declared ${JSON.stringify(declared)}, is ${JSON.stringify(live)}`;
}

function tail(printed: string): string {
  return printed.slice(-1200);
}
