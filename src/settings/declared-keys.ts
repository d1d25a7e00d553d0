import { isDeepStrictEqual } from "node:util";
import { isJsonObject, type JsonObject, type JsonValue } from "../json/json-value.ts";
import { partOf } from "../json/key-path.ts";
import { asRead, withoutInexactNumbers } from "../json/number-sources.ts";
import { shortList } from "../json/short-list.ts";
import type { ReleaseSchema } from "../json-schema/index.ts";
import { tombstone } from "../secrets/placeholders.ts";
import { comparableForm, type SecretTable } from "../secrets/secret-table.ts";
import { hasMask } from "./masks.ts";
import { type Hiding, type RevealOptions, revealer, type SettingPath, shownPart } from "./reveal.ts";

/**
 * A free-form object of a tenant, `configs` or `metadata`. Only the declared keys are managed. All other keys belong to
 * the platform, its users or its runs.
 */
export interface DeclaredKeys {
  declared: JsonObject;
  /** Keys that were declared before and no longer are. */
  removed: readonly string[];
  /** The values that were last written, as far as known. They replace values that the platform hides in reads. */
  written: JsonObject;
  schema: ReleaseSchema;
  /** What earlier writes showed about how the platform hides values. */
  hiding?: Hiding | undefined;
  /** The values of the references to secrets in the declared keys. */
  secrets: SecretTable;
}

/** A write could destroy a value that the platform hides and that no resource declares. */
export class HiddenValueError extends Error {
  override readonly name = "HiddenValueError";
}

/** The paths inside the value of a key, among paths that begin with a key. */
export function pathsWithin(key: string, paths: readonly SettingPath[]): SettingPath[] {
  return paths.flatMap(([first, ...path]) => (first === key ? [path] : []));
}

/**
 * The declared keys with their live values. Where a live value is semantically equal to the declared one (after the
 * schema's defaults are filled in, in any order of keys), the result has the declared value. A key is omitted if it does
 * not exist, or if the platform hides it and it was never written. Of a part of which this holds, the result has a placeholder.
 *
 * @param onNotCompared called with each path at which the last written value takes the place of the live one.
 */
export function observedKeys(
  { declared, written, schema, hiding, secrets }: Omit<DeclaredKeys, "removed">,
  live: JsonObject,
  onNotCompared: RevealOptions["onNotCompared"] = () => {},
): JsonObject {
  const reveal = revealer({ schema, hiding, secrets, onNotCompared });
  const exact = withoutInexactNumbers(live);
  const entries = Object.entries(declared).flatMap(([key, wanted]): [string, JsonValue][] => {
    if (wanted === tombstone) {
      const hidden = hiding?.unreadable.filter(([first]) => first === key) ?? [];
      for (const path of hidden) onNotCompared(path, "hidden");
      const isLeftOut = !Object.hasOwn(live, key) && schema.isHidden([key]);
      return hidden.length > 0 || isLeftOut || remainingKeys({ removed: [key], schema }, live).length > 0
        ? [[key, wanted]]
        : [];
    }
    const isBeforeWrite = partOf(hiding?.beforeWrite, key) !== undefined;
    // what was there before the write may be what is declared, with the schema's defaults
    if (
      isBeforeWrite &&
      semanticallyEqual({ schema, key, around: exact }, comparableForm(wanted, [key], secrets), exact[key])
    ) {
      return [[key, wanted]];
    }
    const seen = reveal({ live: partOf(exact, key), wanted, written: partOf(written, key) }, [key]);
    if (seen === undefined) {
      const isDefault = semanticallyEqual(
        { schema, key, around: exact },
        comparableForm(wanted, [key], secrets),
        undefined,
      );
      return isDefault ? [[key, wanted]] : [];
    }
    const shown = shownPart(seen);
    if (shown === undefined) return [];
    return [[key, areSameDeclared({ schema, key, around: exact }, wanted, shown) ? wanted : shown]];
  });
  return Object.fromEntries(entries);
}

/** The removed keys that still exist with a value other than the schema's default. */
export function remainingKeys(
  { removed, schema }: Pick<DeclaredKeys, "removed" | "schema">,
  live: JsonObject,
): string[] {
  const isDefault = (key: string) => semanticallyEqual({ schema, key, around: live }, live[key], undefined);
  return removed.filter((key) => Object.hasOwn(live, key) && !isDefault(key));
}

/**
 * The whole object to send: the live object without the removed keys, overwritten with the declared keys. The
 * specification does not say whether a PATCH merges or replaces; the whole object has the same effect either way.
 * Undeclared numbers are sent with the digits that were read, so the result is only fit for serialization.
 *
 * @throws HiddenValueError if an undeclared value is masked, because sending the mask or omitting the key could destroy the value.
 */
export function wholeObject(
  { declared, removed }: Pick<DeclaredKeys, "declared" | "removed">,
  live: JsonObject,
  name: string,
): JsonObject {
  const kept = Object.entries(live).filter(([key]) => !Object.hasOwn(declared, key) && !removed.includes(key));
  const masked = kept.filter(([, value]) => hasMask(value)).map(([key]) => `${name}.${key}`);
  if (masked.length > 0) {
    throw new HiddenValueError(
      `the tenant has ${shortList(masked)}, which the platform hides in reads and which no resource declares, ` +
        `so a change of ${name} could destroy it. Declare it too`,
    );
  }
  const sent = asRead(live);
  return { ...Object.fromEntries(kept.map(([key, value]) => [key, partOf(sent, key) ?? value])), ...declared };
}

/** A key whose values are compared. */
export interface ComparedKey {
  schema: ReleaseSchema;
  key: string;
  /** The object that has the key. Its other keys may decide which defaults the schema has: `if`, `then` and `else`. */
  around: JsonObject;
}

/** Whether two values of a key are equal after defaults are filled in. An absent value equals the schema's default. */
export function semanticallyEqual(
  { schema, key, around }: ComparedKey,
  left: JsonValue | undefined,
  right: JsonValue | undefined,
): boolean {
  if (isDeepStrictEqual(left, right)) return true;
  const { [key]: _, ...others } = schema.hasConditionalDefaults() ? around : {};
  const filled = [left, right].map((value) =>
    partOf(schema.withDefaults(value === undefined ? others : { ...others, [key]: value }), key),
  );
  return isDeepStrictEqual(filled[0], filled[1]);
}

/** Whether two values of a key are semantically equal that may refer to secrets: another version is another value. */
export function areSameDeclared(
  compared: ComparedKey,
  left: JsonValue | undefined,
  right: JsonValue | undefined,
): boolean {
  if (isDeepStrictEqual(left, right)) return true;
  const [one, other] = [left, right].map((value) => value && comparableForm(value, [compared.key]));
  return semanticallyEqual(compared, one, other);
}

/** Whether a value equals the wanted one, except for additional keys at any depth. */
export function isSameAndMore(seen: JsonValue | undefined, wanted: JsonValue): boolean {
  if (isDeepStrictEqual(seen, wanted)) return true;
  if (!isJsonObject(seen) || !isJsonObject(wanted)) return false;
  return Object.entries(wanted).every(([key, value]) => isSameAndMore(partOf(seen, key), value));
}

/** The wanted value with null for each key that only the live value has. A merge patch (RFC 7396) removes keys so. */
export function withNulls(wanted: JsonValue, live: JsonValue | undefined): JsonValue {
  if (!isJsonObject(wanted) || !isJsonObject(live)) return wanted;
  const surplus = Object.keys(live).filter((key) => !Object.hasOwn(wanted, key));
  const own = Object.entries(wanted).map(([key, value]): [string, JsonValue] => [
    key,
    withNulls(value, partOf(live, key)),
  ]);
  return Object.fromEntries([...surplus.map((key): [string, JsonValue] => [key, null]), ...own]);
}
