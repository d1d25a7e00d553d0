import type { Agent } from "undici";
import type { Clock } from "./clock.ts";
import type { HiddenPeriod } from "./store/delayed-visibility.ts";
import type { Store } from "./store/store.ts";
import type { Variants } from "./variants.ts";

/** What every operation works on. */
export interface Platform {
  readonly store: Store;
  readonly clock: Clock;
  /** Sends the emulator's own requests: webhooks and proxy calls. */
  readonly agent: Agent;
  /** The variants in force. They may change at any time, so operations read them where they need them. */
  variants: Variants;
  /** How many seconds readers do not see a write in the variant `visibility=lagging`. */
  lagSeconds: number;
  /** The URL of the emulator, without a slash at the end. It is empty until the emulator listens. */
  url: string;
}

/**
 * How long readers do not see what is written now; undefined means that they see it at once. See the variant `visibility`.
 */
export function hiddenPeriod({ clock, variants, lagSeconds }: Platform): HiddenPeriod | undefined {
  if (variants.visibility === "immediate") return undefined;
  const from = clock.now();
  return { from, until: from + (variants.visibility === "lagging" ? lagSeconds * 1000 : visibilityDelayMilliseconds) };
}

/** How long readers do not see a write in the variant `visibility=delayed`. */
export const visibilityDelayMilliseconds = 300;

/** The default of `lagSeconds`. */
export const defaultLagSeconds = 6;
