import { answers } from "./answers.ts";
import { type Disturb, type Disturbance, sumOf } from "./disturbance.ts";
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
  return {
    env: Object.assign({}, ...parts.map(({ env }) => env)),
    repairEnv: Object.assign({}, ...parts.map(({ repairEnv }) => repairEnv)),
    kills: parts.some(({ kills }) => kills),
    during: async (command) => void (await Promise.all(parts.map((part) => part.during?.(command)))),
    violations: (end) =>
      // with all else a command may fail at ten requests a second, and a second one be killed in the middle of a word
      parts.flatMap((part, index) =>
        chosen[index - 1] === rateLimit || chosen.includes(operator) ? [] : (part.violations?.(end) ?? []),
      ),
    explain: async (found) => {
      let unexplained = found;
      for (const part of parts) unexplained = (await part.explain?.(unexplained))?.unexplained ?? unexplained;
      return { unexplained };
    },
    end: async () => {
      const strikes: Awaited<ReturnType<Disturbance["end"]>>[] = [];
      // of the parts that count what the emulator logged, one
      for (const part of parts) strikes.push(await part.end());
      return sumOf(chosen.includes(rateLimit) ? strikes.slice(1) : strikes);
    },
  };
};
