import { setTimeout as sleep } from "node:timers/promises";
import type { Target } from "../engine-command.ts";
import type { Disturb } from "./disturbance.ts";
import { randomMoment } from "./random-moment.ts";

const targets: readonly Target[] = ["engine", "provider", "group", "all"];
const signals = ["SIGINT", "SIGTERM", "SIGKILL"] as const;

/** Somebody, or the machine, ends the command or a part of it: at once, or asking it to. Some insist. */
export const operator: Disturb = async (stage) => {
  const { random } = stage;
  const strikes: Record<string, number> = {};
  const target = random.pick(targets);
  const signal = stage.checkpoints === "end" ? "SIGKILL" : random.pick(signals);
  const insists = signal !== "SIGKILL" && random.chance(0.4);
  return {
    kills: true,
    during: async (command) => {
      const strike = () => {
        if (!command.signal(target, signal)) return;
        strikes[`${signal} to ${target}`] = (strikes[`${signal} to ${target}`] ?? 0) + 1;
      };
      if (!(await randomMoment(stage, command))) return;
      strike();
      if (!insists) return;
      await sleep(1500);
      strike();
    },
    end: async () => strikes,
  };
};
