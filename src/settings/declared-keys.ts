import { isDeepStrictEqual } from "node:util";
import { isJsonObject, type JsonObject, type JsonValue } from "../json/json-value.ts";
import { partOf } from "../json/key-path.ts";
import { asRead, withoutInexactNumbers } from "../json/number-sources.ts";
import { shortList } from "../json/short-list.ts";
import type { ReleaseSchema } from "../json-schema/index.ts";
import { tombstone } from "../secrets/placeholders.ts";
import { comparableForm, type SecretTable } from "../secrets/secret-table.ts";
import { hasMask } from "./masks.ts";
import { type RevealOptions, revealer, type SettingPath } from "./reveal.ts";
import { inDeclaredForm, type ShownAs } from "./shown-as.ts";

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
  /** The paths within the object of the secrets that reads hide. */
  unreadable: readonly SettingPath[];
  /** The name of the setting, and the forms of its own in which the platform shows values. */
  name: string;
  shownAs: ShownAs;
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
 * The declared keys with their live values. Where a live value is equal to the declared one (in the platform's own form, or after
 * the schema's defaults are filled in, in any order of keys), the result has the declared value. A key is omitted if it does not
 * exist. A secret that reads hide has the value that was last written.
 *
 * @param onNotCompared called with each path at which the last written value takes the place of the live one.
 */
export function observedKeys(
  { name, declared, written, schema, unreadable, shownAs, secrets }: Omit<DeclaredKeys, "removed">,
  live: JsonObject,
  onNotCompared: RevealOptions["onNotCompared"] = () => {},
): JsonObject {
  const reveal = revealer({ schema, unreadable, secrets, onNotCompared });
  const sent = comparableKeys(declared, secrets);
  const exact = inDeclaredForm(withoutInexactNumbers(live), { name, declared: sent, shownAs });
  const entries = Object.entries(declared).flatMap(([key, wanted]): [string, JsonValue][] => {
    if (wanted === tombstone) {
      const hidden = unreadable.filter(([first]) => first === key);
      for (const path of hidden) onNotCompared(path, "hidden");
      const isLeftOut = !Object.hasOwn(live, key) && schema.isHidden([key]);
      return hidden.length > 0 || isLeftOut || remainingKeys({ removed: [key], schema }, live).length > 0
        ? [[key, wanted]]
        : [];
    }
    const compared = { schema, key, around: exact };
    const seen = reveal({ live: partOf(exact, key), wanted, written: partOf(written, key) }, [key]);
    if (seen !== undefined) return [[key, areSameDeclared(compared, wanted, seen) ? wanted : seen]];
    return semanticallyEqual(compared, partOf(sent, key), undefined) ? [[key, wanted]] : [];
  });
  return Object.fromEntries(entries);
}

/** The declared keys for a comparison: see {@link comparableForm}. */
export function comparableKeys(declared: JsonObject, secrets: SecretTable): JsonObject {
  return Object(comparableForm(declared, [], secrets));
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
  compared: ComparedKey,
  left: JsonValue | undefined,
  right: JsonValue | undefined,
): boolean {
  return isDeepStrictEqual(left, right) || isDeepStrictEqual(filled(compared, left), filled(compared, right));
}

/** A value of a key with the schema's defaults. */
export function filled({ schema, key, around }: ComparedKey, value: JsonValue | undefined): JsonValue | undefined {
  const { [key]: _, ...others } = schema.hasConditionalDefaults() ? around : {};
  return partOf(schema.withDefaults(value === undefined ? others : { ...others, [key]: value }), key);
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
