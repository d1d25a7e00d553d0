import { isDeepStrictEqual } from "node:util";
import { asRead, isJsonObject, type JsonObject, type JsonValue, withoutInexactNumbers } from "../api/index.ts";
import type { ReleaseSchema } from "../json-schema/index.ts";
import { hasMask, isMask } from "./masks.ts";

/**
 * A free-form object of which only the keys that are declared are managed: `configs` and `metadata` of a tenant. What
 * else the platform, its users or its runs keep in it is theirs.
 */
export interface DeclaredKeys {
  declared: JsonObject;
  /** Keys that were declared before and no longer are. */
  removed: readonly string[];
  /** What was last written, as far as known: it stands in for values that the platform hides on reading. */
  written: JsonObject;
  schema: ReleaseSchema;
  /** What earlier writes have shown of how the platform hides values. */
  hiding?: Hiding | undefined;
}

/** Which declared values a read can prove, as far as earlier writes have shown it; where they have not, the schema decides. */
export interface Hiding {
  /** What the last write came to: values that are in it, and are not unreadable, came back as they were written. */
  lastWritten: JsonObject;
  /** Where values did not come back as they were written. */
  unreadable: readonly KeyPath[];
  /** Whether the platform leaves passwords out of reads. */
  leavesOut?: boolean | undefined;
}

/** Keys from the outside in. */
export type KeyPath = readonly string[];

/**
 * Stands in the state for the value of a key that was to be removed and is still there, so that the next `up` knows of
 * it: the value itself may be a secret that no input marks as one any more.
 */
export const toBeRemoved = "(no longer declared, to be removed)";

const hidden = Symbol("hidden");
type Seen = JsonValue | typeof hidden | Seen[] | { [key: string]: Seen };

/**
 * The declared keys as they are on the platform, in the words of the declaration: a value that means the same (the
 * schema's defaults filled in, the order of keys aside) is the declared one. A key that is not there, or that is hidden
 * and was never written, is left out.
 *
 * @param onHidden told where the value last written stands in for one that the platform hides.
 */
export function observedKeys(
  { declared, written, schema, hiding }: Omit<DeclaredKeys, "removed">,
  live: JsonObject,
  onHidden: (path: KeyPath) => void = () => {},
): JsonObject {
  const reveal = revealer(schema, hiding, onHidden);
  const exact = withoutInexactNumbers(live);
  const entries = Object.entries(declared).flatMap(([key, wanted]): [string, JsonValue][] => {
    if (wanted === toBeRemoved) return remainingKeys({ removed: [key], schema }, live).map((name) => [name, wanted]);
    const seen = reveal({ live: partOf(exact, key), wanted, written: partOf(written, key) }, [key]);
    if (seen === undefined) return meansTheSame(schema, key, wanted, undefined) ? [[key, wanted]] : [];
    if (!isRevealed(seen)) return [];
    return [[key, meansTheSame(schema, key, wanted, seen) ? wanted : seen]];
  });
  return Object.fromEntries(entries);
}

/** The removed keys that are still there with a value of their own, rather than with the schema's default. */
export function remainingKeys(
  { removed, schema }: Pick<DeclaredKeys, "removed" | "schema">,
  live: JsonObject,
): string[] {
  return removed.filter((key) => Object.hasOwn(live, key) && !meansTheSame(schema, key, live[key], undefined));
}

/**
 * The whole object to send: what is there, less what was removed, and what is declared over it. The specification does
 * not say whether a PATCH merges or replaces; the whole object means the same either way. Numbers that nothing declares
 * are sent as they were read. It is good for nothing but to be sent.
 *
 * Throws where an undeclared value is hidden: to send the mask would destroy the value, and so might leaving it out.
 */
export function wholeObject(
  { declared, removed }: Pick<DeclaredKeys, "declared" | "removed">,
  live: JsonObject,
  name: string,
): JsonObject {
  const kept = Object.entries(live).filter(([key]) => !Object.hasOwn(declared, key) && !removed.includes(key));
  const masked = kept.filter(([, value]) => hasMask(value)).map(([key]) => `${name}.${key}`);
  if (masked.length > 0) {
    throw new Error(
      `the tenant has ${masked.join(", ")}, which the platform hides on reading and nothing declares: ` +
        `a change of ${name} could destroy it. Declare it too`,
    );
  }
  const sent = asRead(live);
  return { ...Object.fromEntries(kept.map(([key, value]) => [key, partOf(sent, key) ?? value])), ...declared };
}

/** Whether two values of a key mean the same, an absent one meaning the schema's default. */
export function meansTheSame(
  schema: ReleaseSchema,
  key: string,
  left: JsonValue | undefined,
  right: JsonValue | undefined,
): boolean {
  if (isDeepStrictEqual(left, right)) return true;
  const filled = [left, right].map((value) =>
    partOf(schema.withDefaults(value === undefined ? {} : { [key]: value }), key),
  );
  return isDeepStrictEqual(filled[0], filled[1]);
}

/** Whether a value is the wanted one but for keys that it has besides, at any depth. */
export function isSameAndMore(seen: JsonValue | undefined, wanted: JsonValue): boolean {
  if (isDeepStrictEqual(seen, wanted)) return true;
  if (!isJsonObject(seen) || !isJsonObject(wanted)) return false;
  return Object.entries(wanted).every(([key, value]) => isSameAndMore(partOf(seen, key), value));
}

/** The wanted value with null for each key that only the live one has: that is how a merge patch (RFC 7396) removes. */
export function withNulls(wanted: JsonValue, live: JsonValue | undefined): JsonValue {
  if (!isJsonObject(wanted) || !isJsonObject(live)) return wanted;
  const surplus = Object.keys(live).filter((key) => !Object.hasOwn(wanted, key));
  const own = Object.entries(wanted).map(([key, value]): [string, JsonValue] => [
    key,
    withNulls(value, partOf(live, key)),
  ]);
  return Object.fromEntries([...surplus.map((key): [string, JsonValue] => [key, null]), ...own]);
}

/** Gives a live value with what the platform hides replaced by what was last written there. */
function revealer(schema: ReleaseSchema, hiding: Hiding | undefined, onHidden: (path: KeyPath) => void) {
  const isHidden = (live: JsonValue | undefined, path: KeyPath): boolean => {
    if (isMask(live)) return true;
    if (hiding?.unreadable.some((other) => isDeepStrictEqual(other, path)) === true) return true;
    if (valueAt(hiding?.lastWritten, path) !== undefined) return false;
    if (live !== undefined) return schema.isHidden(path);
    return schema.isWriteOnly(path) || (hiding?.leavesOut === true && schema.isHidden(path));
  };
  const reveal = ({ live, wanted, written }: Versions, path: KeyPath): Seen | undefined => {
    if (isDeepStrictEqual(live, wanted)) return live;
    if (isHidden(live, path)) {
      if (written !== undefined) onHidden(path);
      return written ?? hidden;
    }
    const child = (key: string | number) =>
      reveal({ live: partOf(live, key), wanted: partOf(wanted, key), written: partOf(written, key) }, [
        ...path,
        String(key),
      ]);
    if (Array.isArray(live)) return live.map((_, index) => child(index) ?? null);
    if (!isJsonObject(live)) return live;
    const keys = new Set([...Object.keys(live), ...Object.keys(isJsonObject(wanted) ? wanted : {})]);
    return Object.fromEntries(
      [...keys].flatMap((key) => {
        const seen = child(key);
        return seen === undefined ? [] : [[key, seen]];
      }),
    );
  };
  return reveal;
}

/** One place in three versions of an object. */
interface Versions {
  live: JsonValue | undefined;
  wanted: JsonValue | undefined;
  written: JsonValue | undefined;
}

/** The own property or item of a value; `undefined` where there is none. */
export function partOf(value: JsonValue | undefined, key: string | number): JsonValue | undefined {
  if (Array.isArray(value)) return value[Number(key)];
  return isJsonObject(value) && Object.hasOwn(value, key) ? value[key] : undefined;
}

/** The value at a path; `undefined` where there is none. */
export function valueAt(value: JsonValue | undefined, path: KeyPath): JsonValue | undefined {
  return path.reduce(partOf, value);
}

function isRevealed(seen: Seen): seen is JsonValue {
  if (seen === hidden) return false;
  return typeof seen !== "object" || seen === null || Object.values(seen).every(isRevealed);
}
