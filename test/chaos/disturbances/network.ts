import type { Disturb, Disturbance, Stage } from "./disturbance.ts";
import { randomMoment } from "./random-moment.ts";

/** The platform cannot be found, or goes away in the middle and comes back: after less than a retry waits, or after more. */
export const network: Disturb = async (stage) => (stage.random.chance(0.25) ? unresolved() : restarted(stage));

function unresolved(): Disturbance {
  return {
    env: { INTEGRATION_PLATFORM_BASE_URL: "https://platform.invalid" },
    kills: false,
    isAway: true,
    end: async () => ({ "unresolvable name": 1 }),
  };
}

function restarted(stage: Stage): Disturbance {
  const { platform, random } = stage;
  const awayMilliseconds = random.pick([0, 300, 1500, 15_000]);
  let strikes = 0;
  return {
    kills: false,
    isAway: true,
    during: async (command) => {
      if (!(await randomMoment(stage, command))) return;
      strikes += 1;
      await platform.restart(awayMilliseconds);
    },
    end: async () => ({ [`restarted after ${awayMilliseconds} ms`]: strikes }),
  };
}
