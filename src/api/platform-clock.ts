import { parseHttpDate } from "./http-date.ts";

/** The platform's clock, as far as the `Date` headers of its responses show it. It never goes back. */
export interface PlatformClock {
  /** The latest time that a header has shown; undefined before the first. */
  now: () => Date | undefined;
  /** Takes notice of a response's `Date` header. A missing or invalid one is ignored. */
  observe: (dateHeader: string | undefined) => void;
}

export function createPlatformClock(): PlatformClock {
  let latest: number | undefined;
  return {
    now: () => (latest === undefined ? undefined : new Date(latest)),
    observe: (dateHeader) => {
      const shown = parseHttpDate(dateHeader?.trim() ?? "");
      // Responses arrive out of order, and the machines behind a load balancer differ by seconds: the latest counts.
      if (shown !== undefined && (latest === undefined || shown > latest)) latest = shown;
    },
  };
}
