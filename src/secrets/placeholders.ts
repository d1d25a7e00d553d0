import type { JsonValue } from "../json/json-value.ts";
import { isDiffering, type Path } from "./reference.ts";

/** Takes the place of an observed string that may hold a secret. */
export const withheld = "(not shown, as it may be a secret)";

/**
 * The value in the state of a key that should have been removed but still exists, so that the next `up` tries again. The
 * live value is not stored, because it may be a secret that no input marks as secret any more.
 */
export const tombstone = "(no longer declared, to be removed)";

/**
 * Whether a value takes the place of a live one in the state. `ignoreChanges` declares it again, and it must not be written.
 *
 * @param path of the value within its free-form object.
 */
export function isPlaceholder(value: JsonValue, path: Path): boolean {
  return value === withheld || value === tombstone || isDiffering(value, path);
}
