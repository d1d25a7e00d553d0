import { setTimeout as sleep } from "node:timers/promises";
import type { Target } from "../engine-command.ts";
import type { Disturb } from "./disturbance.ts";

const targets: readonly Target[] = ["engine", "provider", "group", "all"];
const signals = ["SIGINT", "SIGTERM", "SIGKILL"] as const;

/** Somebody, or the machine, ends the command or a part of it: at once, or asking it to. Some insist. */
export const operator: Disturb = async ({ random, usualSeconds }) => {
  const strikes: Record<string, number> = {};
  const target = random.pick(targets);
  const signal = random.pick(signals);
  const after = usualSeconds * (0.15 + 0.75 * random.next());
  const insists = signal !== "SIGKILL" && random.chance(0.4);
  return {
    kills: true,
    during: async (command) => {
      const strike = () => {
        if (command.signal(target, signal))
          strikes[`${signal} to ${target}`] = (strikes[`${signal} to ${target}`] ?? 0) + 1;
      };
      const over = new AbortController();
      const ended = command.ended.finally(() => over.abort());
      await sleep(after * 1000, undefined, { signal: over.signal }).then(strike, () => {});
      if (insists) await sleep(1500, undefined, { signal: over.signal }).then(strike, () => {});
      await ended;
    },
    end: async () => strikes,
  };
};
