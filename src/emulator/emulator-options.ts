import { type Clock, createManualClock, isManual, systemClock } from "./clock.ts";
import type { Seed } from "./entities/seed.ts";
import type { Store } from "./store/store.ts";
import type { Variants } from "./variants.ts";

/** The options of an emulator. */
export interface EmulatorOptions {
  /** The address to listen on. Default 127.0.0.1. On an address that is not loopback, other machines can call it. */
  readonly host?: string | undefined;
  /** The port to listen on. Default 0, which means any free port. */
  readonly port?: number | undefined;
  /** The directory of the database's file. Default: in memory. */
  readonly data?: string | undefined;
  /** The records of an empty database: an object, or the path of a YAML file. Default: the built-in seed. */
  readonly seed?: Seed | string | undefined;
  /** The API key of the emulator. The console can create more keys. Default "sandbox-key". */
  readonly apiKey?: string | undefined;
  /** How the emulator answers what the specification leaves open. Default: the first value of each variant. */
  readonly variants?: Partial<Variants> | undefined;
  /** How long readers do not see a write in the variant `visibility=lagging`. Default 6. */
  readonly lagSeconds?: number | undefined;
  /**
   * "real", the default, is the machine's clock. "manual" is a clock that only `advance` moves; it starts at
   * `manualClockStart`, or at the time that the database holds. Or pass your own clock.
   */
  readonly clock?: "real" | "manual" | Clock | undefined;
  /** How long a webhook's receiver may take. This is always real time, whatever the clock. Default 10. */
  readonly webhookTimeoutSeconds?: number | undefined;
}

/**
 * The clock that the option selects. A manual clock continues at the time that the database holds: at the present if the
 * machine's clock was the last one.
 *
 * @throws Error if the machine's clock is selected, and the database holds a time in the future.
 */
export function clockFrom(option: EmulatorOptions["clock"], { settings }: Pick<Store, "settings">): Clock {
  const clock = option === "manual" ? createManualClock() : (option ?? "real");
  const stored = settings.readClock();
  const storedTime = stored === "real" ? systemClock.now() : stored;
  if (clock === "real") {
    if (storedTime !== undefined && storedTime > systemClock.now()) {
      const date = new Date(storedTime).toISOString();
      throw new Error(
        `The database's manual clock is at ${date}, in the future: use a manual clock, or another folder`,
      );
    }
    return systemClock;
  }
  if (isManual(clock) && storedTime !== undefined) clock.moveTo(storedTime);
  return clock;
}

/** Stores the time at which a manual clock continues after a restart. */
export function storeClock({ settings }: Pick<Store, "settings">, clock: Clock): void {
  if (clock === systemClock) settings.writeClock("real");
  if (isManual(clock)) settings.writeClock(clock.now());
}
