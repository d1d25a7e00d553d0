import { setTimeout as sleep } from "node:timers/promises";
import type { Disturb } from "./disturbance.ts";

/** A second pipeline runs the same command on the same stack. The backend lets one of them work. */
export const pipelines: Disturb = async ({ random, start, command }) => {
  const after = random.pick([0, 100, 1500, 4000]);
  const strikes: Record<string, number> = {};
  return {
    kills: false,
    during: async () => {
      await sleep(after);
      const { code, printed } = await start([command, "--yes", "--skip-preview"]).ended;
      const isLocked = /currently locked/.test(printed);
      strikes[isLocked ? "refused by the lock" : `second ended with ${code}`] = 1;
    },
    end: async () => strikes,
  };
};
