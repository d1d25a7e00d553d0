import { setTimeout as sleep } from "node:timers/promises";
import type { RunningCommand } from "../engine-command.ts";
import type { Stage } from "./disturbance.ts";

const lookEveryMilliseconds = 50;

/**
 * Waits for some moment of a command: soon after it has started, or once it has sent some share of its requests, so that
 * it is the same on a busy machine. False where the command is over before.
 */
export async function randomMoment(
  { platform, random, usualRequests }: Stage,
  command: RunningCommand,
): Promise<boolean> {
  const isEarly = random.chance(0.15);
  const requests = isEarly ? 0 : Math.ceil(usualRequests * 0.95 * random.next());
  const pauseMilliseconds = random.below(isEarly ? 2500 : 300);
  while (!command.isOver() && (await platform.countRequests()) < requests) await sleep(lookEveryMilliseconds);
  await sleep(pauseMilliseconds);
  return !command.isOver();
}
