/** Where the emulator takes its time from, so that tests may bring their own. */
export interface Clock {
  /** The present, in milliseconds since the epoch. */
  now(): number;
}

/** A clock that stands still until it is moved. */
export interface ManualClock extends Clock {
  /** Never backwards. */
  moveTo(milliseconds: number): void;
}

/** The machine's own clock. */
export const systemClock: Clock = { now: () => Date.now() };

/** When a manual clock begins if nothing else is said: later than anything in the built-in seed. */
export const manualClockStart = "2026-06-01T00:00:00.000Z";

/**
 * A clock that only moves by `emulator.advance`, which works through everything that falls due on the way.
 *
 * @param startsAt ISO 8601.
 */
export function createManualClock(startsAt: string = manualClockStart): ManualClock {
  let now = Date.parse(startsAt);
  if (Number.isNaN(now)) throw new Error(`a clock cannot start at "${startsAt}": it must be a date in ISO 8601`);
  return {
    now: () => now,
    moveTo: (milliseconds) => {
      now = Math.max(now, milliseconds);
    },
  };
}

export function isManual(clock: Clock): clock is ManualClock {
  return "moveTo" in clock;
}

/** The clock's present as the API writes dates: ISO 8601, UTC. */
export function timestamp(clock: Clock): string {
  return new Date(clock.now()).toISOString();
}
