import { setTimeout as sleep } from "node:timers/promises";
import type { Disturb, Stage } from "./disturbance.ts";

/** The platform cannot be found, or goes away in the middle and comes back: after less than a retry waits, or after more. */
export const network: Disturb = async (stage) => (stage.random.chance(0.25) ? unresolved() : restarted(stage));

function unresolved() {
  return {
    env: { INTEGRATION_PLATFORM_BASE_URL: "https://platform.invalid" },
    kills: false,
    end: async () => ({ "unresolvable name": 1 }),
  };
}

function restarted({ platform, random, usualSeconds }: Stage) {
  const after = usualSeconds * (0.2 + 0.7 * random.next());
  const awayMilliseconds = random.pick([0, 300, 1500, 15_000]);
  let strikes = 0;
  return {
    kills: false,
    during: async (command: { isOver(): boolean }) => {
      await sleep(after * 1000);
      if (command.isOver()) return;
      strikes += 1;
      await platform.restart(awayMilliseconds);
    },
    end: async () => ({ [`restarted after ${awayMilliseconds} ms`]: strikes }),
  };
}
