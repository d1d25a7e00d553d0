import { type Clock, createManualClock, isManual, systemClock } from "./clock.ts";
import type { Seed } from "./seed/schema.ts";
import type { Store } from "./store/store.ts";
import type { Variants } from "./variants.ts";

/** How an emulator is to be. */
export interface EmulatorOptions {
  /** The address to listen on. Default 127.0.0.1; anything but loopback lets others in. */
  readonly host?: string | undefined;
  /** Default 0, any free one. */
  readonly port?: number | undefined;
  /** The directory of the database's file. Default: in memory. A seed is put only into an empty database. */
  readonly data?: string | undefined;
  /** What to begin with: an object, or the path of a YAML file. Default: the built-in seed. */
  readonly seed?: Seed | string | undefined;
  /** The key that requests have to carry, besides those made in the console. Default "sandbox-key". */
  readonly apiKey?: string | undefined;
  /** Default: the first value of each. */
  readonly variants?: Partial<Variants> | undefined;
  /** How long a write stays unseen in the variant `visibility=lagging`. Default 6. */
  readonly lagSeconds?: number | undefined;
  /**
   * Default "real", the machine's own. A "manual" one stands still, from `manualClockStart` or from where it stood in
   * kept state, until `advance` moves it; or a clock of one's own.
   */
  readonly clock?: "real" | "manual" | Clock | undefined;
  /** How long a webhook's receiver may take, in real time whatever the clock. Default 10. */
  readonly webhookTimeoutSeconds?: number | undefined;
}

/** The clock that an option means; a manual one goes on from where it stood in kept state. */
export function clockFrom(option: EmulatorOptions["clock"], store: Store): Clock {
  const clock = option === "manual" ? createManualClock() : (option ?? "real");
  if (clock === "real") return systemClock;
  const stoodAt = store.settings.readClock();
  if (isManual(clock) && stoodAt !== undefined) clock.moveTo(stoodAt);
  return clock;
}
