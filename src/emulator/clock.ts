/** The source of the emulator's time. Tests may pass their own. */
export interface Clock {
  /** The current time, in milliseconds since the epoch. */
  now(): number;
}

/** A clock that stands still until somebody moves it. */
export interface ManualClock extends Clock {
  /** Moves the clock forward; does nothing when the time has passed already. */
  moveTo(milliseconds: number): void;
}

/** The machine's own clock. */
export const systemClock: Clock = { now: () => Date.now() };

/** The default start of a manual clock. It is later than every date in the built-in seed. */
export const manualClockStart = "2026-06-01T00:00:00.000Z";

/**
 * A clock that only `emulator.advance` moves. It runs the jobs that become due on the way.
 *
 * @param startsAt ISO 8601.
 */
export function createManualClock(startsAt: string = manualClockStart): ManualClock {
  let now = Date.parse(startsAt);
  if (Number.isNaN(now)) throw new Error(`A clock cannot start at "${startsAt}": pass a date in ISO 8601`);
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

/** The current time in the format of the API: ISO 8601, UTC. */
export function timestamp(clock: Clock): string {
  return new Date(clock.now()).toISOString();
}
