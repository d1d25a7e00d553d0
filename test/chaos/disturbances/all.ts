import { answers } from "./answers.ts";
import { type Disturb, type Disturbance, type Strikes, sumOf } from "./disturbance.ts";
import { key } from "./key.ts";
import { network } from "./network.ts";
import { operator } from "./operator.ts";
import { others } from "./others.ts";
import { pipelines } from "./pipelines.ts";
import { rateLimit } from "./rate-limit.ts";

/** Several at once: the answers, and three others by chance. */
export const all: Disturb = async (stage) => {
  const chosen = stage.random.sample([network, key, operator, others, pipelines, rateLimit], 3);
  const parts: Disturbance[] = [];
  for (const disturb of [answers, ...chosen]) parts.push(await disturb({ ...stage, random: stage.random.fork() }));
  // of the parts that count what the emulator logged, one
  return together(parts, chosen.includes(rateLimit) ? parts.slice(1) : parts);
};

/** Several disturbances as one. @param counted those whose strikes count. */
export function together(parts: readonly Disturbance[], counted = parts): Disturbance {
  const kills = parts.some((part) => part.kills);
  const isAway = parts.some((part) => part.isAway);
  return {
    env: Object.assign({}, ...parts.map(({ env }) => env)),
    repairEnv: Object.assign({}, ...parts.map(({ repairEnv }) => repairEnv)),
    kills,
    isAway,
    during: async (command) => void (await Promise.all(parts.map((part) => part.during?.(command)))),
    violations: (end) => parts.flatMap((part) => part.violations?.(end, { kills, isAway, fails: true }) ?? []),
    explain: async (found) => {
      let unexplained = found;
      for (const part of parts) unexplained = (await part.explain?.(unexplained))?.unexplained ?? unexplained;
      return { unexplained };
    },
    end: async () => {
      const strikes: Strikes[] = [];
      for (const part of parts) {
        const struck = await part.end();
        if (counted.includes(part)) strikes.push(struck);
      }
      return sumOf(strikes);
    },
  };
}
