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
  /** Where the emulator is reached, without a slash at the end; known once it listens. */
  url: string;
}

/**
 * When readers see what is written now, in milliseconds since the epoch; undefined means at once.
 * See the variant `visibility`.
 */
export function shownAt({ clock, variants }: Platform): number | undefined {
  return variants.visibility === "delayed" ? clock.now() + visibilityDelayMilliseconds : undefined;
}

/** How long a write stays unseen in the variant `visibility=delayed`. */
export const visibilityDelayMilliseconds = 300;
