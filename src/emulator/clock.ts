/** Where the emulator takes its time from, so that tests may bring their own. */
export interface Clock {
  /** The present, in milliseconds since the epoch. */
  now(): number;
}

/** The machine's own clock. */
export const systemClock: Clock = { now: () => Date.now() };

/** The clock's present as the API writes dates: ISO 8601, UTC. */
export function timestamp(clock: Clock): string {
  return new Date(clock.now()).toISOString();
}
