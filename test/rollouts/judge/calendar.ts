import type { Strategy } from "../declared.ts";

/** The day and the hour where a rollout counts its windows. */
function localTime({ timeZone }: Pick<Strategy, "timeZone">, now: number): { day: string; hour: number } {
  const parts = new Intl.DateTimeFormat("en-CA", {
    timeZone: timeZone ?? "UTC",
    year: "numeric",
    month: "2-digit",
    day: "2-digit",
    hour: "2-digit",
    hourCycle: "h23",
  }).formatToParts(now);
  const part = (wanted: string) => parts.find(({ type }) => type === wanted)?.value ?? "";
  return { day: `${part("year")}-${part("month")}-${part("day")}`, hour: Number(part("hour")) };
}

export function isFrozen(strategy: Strategy, now: number): boolean {
  const { day } = localTime(strategy, now);
  return strategy.freeze !== undefined && strategy.freeze.from <= day && day <= strategy.freeze.to;
}

export function isInWindow(strategy: Strategy, now: number): boolean {
  const { hour } = localTime(strategy, now);
  return strategy.window === undefined || (strategy.window[0] <= hour && hour <= strategy.window[1]);
}
