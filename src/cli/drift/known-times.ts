import { utcMinute } from "../times.ts";
import type { KnownDrift } from "./history.ts";

/** What says how long a difference is known. */
export interface KnownTimes {
  firstFoundAt?: string;
}

/** The title of the column with {@link knownText}. */
export const knownTitle = "Known";

/**
 * Since when differences are known: `since 2026-11-20 14:03 UTC`, or `new` if this run is the first that found them. Equal
 * differences of several tenants share one text, which ends with `at the earliest` if their times differ.
 */
export function knownText(differences: readonly KnownTimes[], { at }: Pick<KnownDrift, "at">): string {
  const times = [...new Set(differences.map(({ firstFoundAt = at }) => firstFoundAt))].sort();
  const [first = at] = times;
  if (first === at) return "new";
  return times.length === 1 ? `since ${minuteOf(first)}` : `since ${minuteOf(first)} at the earliest`;
}

/** The title of what the run before found and this one did not. */
export function goneTitle(history: Pick<KnownDrift, "previousRunAt"> | undefined): string {
  const before = history?.previousRunAt;
  return before === undefined ? "Gone" : `Gone since the run of ${minuteOf(before)}`;
}

/** `2026-11-20T14:03:07Z` as `2026-11-20 14:03 UTC`. */
function minuteOf(time: string): string {
  return `${utcMinute(time)} UTC`;
}
