import type { Clock } from "./clock.ts";
import type { ReleaseSchemas } from "./rules/release-schemas.ts";
import type { Store } from "./store/store.ts";
import type { Variants } from "./variants.ts";

/** What every operation works on. */
export interface Platform {
  readonly store: Store;
  readonly clock: Clock;
  readonly schemas: ReleaseSchemas;
  /** The variants in force; they may change at any time, so they are read where they are needed. */
  variants: Variants;
  /** How long a write stays unseen in the variant `visibility=lagging`. */
  lagSeconds: number;
  /** Where the emulator is reached, without a slash at the end; known once it listens. */
  url: string;
}

/**
 * When readers see what is written now, in milliseconds since the epoch; undefined means at once.
 * See the variant `visibility`.
 */
export function shownAt({ clock, variants, lagSeconds }: Platform): number | undefined {
  if (variants.visibility === "immediate") return undefined;
  return clock.now() + (variants.visibility === "lagging" ? lagSeconds * 1000 : visibilityDelayMilliseconds);
}

/** How long a write stays unseen in the variant `visibility=delayed`. */
export const visibilityDelayMilliseconds = 300;

/** How long it stays unseen in the variant `visibility=lagging`, unless set otherwise. */
export const defaultLagSeconds = 6;
