/** How far two clocks may be apart that show the same time. */
export const clockToleranceSeconds = 300;
/** How many responses in a row must agree, and for how long, if they disagree with this machine's clock. */
export const agreeingResponses = { count: 3, seconds: 10 };

/** The clock of the machine. Both times are in milliseconds. */
export interface MachineClock {
  /** Since 1970. Somebody may set it. */
  now(): number;
  /** Since any start. Nobody can set it. */
  elapsed(): number;
}

export const machineClock: MachineClock = { now: () => Date.now(), elapsed: () => performance.now() };

/** What the `Date` headers of the platform's responses show of its time: see docs/decisions/the-platforms-time.md. */
export interface PlatformClock {
  /** The latest time that is believed; undefined if none is. */
  now: () => Date | undefined;
  /** Takes notice of a response's `Date` header. A missing or invalid one is ignored. */
  observe: (dateHeader: string | undefined) => void;
  /** The time of the last response, if none of the times that responses have shown is believed. */
  doubted: () => DoubtedTime | undefined;
}

/** A time of the platform that is not believed, and the machine's at the same moment. */
export interface DoubtedTime {
  shown: Date;
  machine: Date;
}

/** Responses in a row that agree with each other, and not with the machine's clock. */
interface Row {
  /** From the machine's elapsed time to the platform's. */
  offset: number;
  since: number;
  count: number;
}

/**
 * A time is believed if it agrees with the machine's clock. Once one does, that clock is right, and others are wrong. Before
 * that, the times of responses in a row are believed that agree with each other for long enough: the machine's clock is wrong.
 */
export function createPlatformClock(machine: MachineClock = machineClock): PlatformClock {
  let latest: number | undefined;
  /** What the latest time agrees with. */
  let basis: "machine" | Row | undefined;
  let row: Row | undefined;
  let doubted: DoubtedTime | undefined;

  const believe = (shown: number, on: "machine" | Row) => {
    // Responses arrive out of order, and the machines behind a load balancer differ by seconds: the latest counts.
    latest = basis === on ? Math.max(latest ?? shown, shown) : shown;
    basis = on;
    doubted = undefined;
  };
  const observeOther = (shown: number) => {
    const elapsed = machine.elapsed();
    const offset = shown - elapsed;
    if (typeof basis === "object" && isNear(offset, basis.offset)) return believe(shown, basis);
    if (row === undefined || !isNear(offset, row.offset)) row = { offset, since: elapsed, count: 0 };
    row.count += 1;
    const { count, seconds } = agreeingResponses;
    if (row.count >= count && elapsed - row.since >= seconds * 1000) return believe(shown, row);
    if (latest === undefined) doubted = { shown: new Date(shown), machine: new Date(machine.now()) };
  };

  return {
    now: () => (latest === undefined ? undefined : new Date(latest)),
    doubted: () => doubted,
    observe: (dateHeader) => {
      const shown = parseHttpDate(dateHeader?.trim() ?? "");
      if (shown === undefined) return;
      if (isNear(shown, machine.now())) believe(shown, "machine");
      else if (basis !== "machine") observeOther(shown);
    },
  };
}

function isNear(one: number, other: number): boolean {
  return Math.abs(one - other) <= clockToleranceSeconds * 1000;
}

/**
 * Parses a date in a header of HTTP.
 *
 * @returns milliseconds since the epoch; undefined for any other string. `Date.parse` alone accepts almost any string.
 */
export function parseHttpDate(text: string): number | undefined {
  const parsed = httpDate.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(parsed) ? undefined : parsed;
}

/** For example `Sun, 06 Nov 1994 08:49:37 GMT`, or in the old form `Sunday, 06-Nov-94 08:49:37 GMT`. */
const httpDate = /^[A-Z][a-z]{2,8}, \d{2}[ -][A-Z][a-z]{2}[ -](\d{4}|\d{2}) \d{2}:\d{2}:\d{2} GMT$/;

/**
 * Parses a date of the platform. One with a time and without an offset is in UTC; `Date.parse` alone would read it in the time
 * zone of this machine.
 *
 * @returns milliseconds since the epoch; `NaN` for any other string.
 */
export function parsePlatformDate(text: string): number {
  const hasNoOffset = /^\d{4}-\d\d-\d\d[T ]\d\d:\d\d(:\d\d(\.\d+)?)?$/.test(text);
  return Date.parse(hasNoOffset ? `${text}Z` : text);
}
