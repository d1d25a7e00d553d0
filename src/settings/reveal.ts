import { isDeepStrictEqual } from "node:util";
import { isJsonObject, type JsonObject, type JsonValue } from "../json/json-value.ts";
import { partOf, valueAt } from "../json/key-path.ts";
import type { ReleaseSchema } from "../json-schema/index.ts";
import { tombstone, withheld } from "../secrets/placeholders.ts";
import { declaredForm, differingForm, isMistakable, referenceAt } from "../secrets/reference.ts";
import { type SecretTable, unresolvedIn } from "../secrets/secret-table.ts";
import { differing, hasReference, mapReferences } from "../secrets/walk.ts";
import { isMask, mayBeMask } from "./masks.ts";

/** Which declared values a read can verify. Earlier writes showed it; where they did not, the schema decides. */
export interface Hiding {
  /** The result of the last write. A read returned these values as written, except those at the unreadable paths. */
  lastWritten: JsonObject;
  /** The paths at which a read did not return the value that was written. */
  unreadable: readonly SettingPath[];
  /** Whether the platform omits secrets from reads. */
  leavesOut?: boolean | undefined;
  /** The live values before a write of this operation. A read that still shows one of them may not show the write yet. */
  beforeWrite?: JsonObject | undefined;
}

/** The keys that lead to a value, outermost first. */
export type SettingPath = readonly string[];

/** Why a value was not compared: the platform hides it, or its reference to a secret has no value. */
export type NotCompared = "hidden" | "unresolved";

/** The values at one path in three versions of an object. */
export interface Versions {
  live: JsonValue | undefined;
  wanted: JsonValue | undefined;
  written: JsonValue | undefined;
}

const hidden = Symbol("hidden");
type Seen = JsonValue | typeof hidden | Seen[] | { [key: string]: Seen };

export interface RevealOptions {
  schema: ReleaseSchema;
  hiding: Hiding | undefined;
  /** The values of the references in the wanted value. */
  secrets: SecretTable;
  /** Called with each path at which the last written value takes the place of the live one. */
  onNotCompared: (path: SettingPath, why: NotCompared) => void;
}

/**
 * Returns a function that gives a live value the form of a declared one. What the platform hides is replaced with what was
 * last written there. Where a reference to a secret is declared, the result has the reference if the live value is the
 * secret, and otherwise its form with `differs`; the live value itself is never in the result.
 */
export function revealer({ schema, hiding, secrets, onNotCompared }: RevealOptions) {
  const isKnownUnreadable = (path: SettingPath): boolean =>
    hiding?.unreadable.some((other) => isDeepStrictEqual(other, path)) === true;
  const isHidden = (live: JsonValue | undefined, path: SettingPath): boolean => {
    if (isMask(live) || isKnownUnreadable(path)) return true;
    const last = valueAt(hiding?.lastWritten, path) ?? null;
    if (last !== null && last !== withheld && last !== tombstone) return false; // these show nothing about secrets
    if (live !== undefined) return schema.isHidden(path);
    return schema.isWriteOnly(path) || (hiding?.leavesOut === true && schema.isHidden(path));
  };
  /** Whether a read shows what was live before the write, where earlier reads may have shown what was written. */
  const isAsBeforeWrite = (live: JsonValue | undefined, path: SettingPath): boolean =>
    live !== undefined &&
    !mayBeMask(live) &&
    !isKnownUnreadable(path) &&
    isDeepStrictEqual(live, valueAt(hiding?.beforeWrite, path));
  /** Whether a secret of the key at hand has no value now, so that a live text next to it may be that secret. */
  let isDoubtful = false;
  const reveal = ({ live, wanted, written }: Versions, path: SettingPath): Seen | undefined => {
    if (path.length === 1) isDoubtful = wanted !== undefined && unresolvedIn(secrets, wanted, path).length > 0;
    // an earlier read withheld it, perhaps for the sake of a reference that is no longer declared
    if (wanted === withheld) return live === undefined ? undefined : withheld;
    const reference = referenceAt(wanted, path);
    const resolution = reference && secrets.resolutionOf(reference);
    if (reference !== undefined && live !== undefined && isDeepStrictEqual(live, resolution?.value)) {
      return declaredForm(reference);
    }
    if (wanted !== undefined && isAsDeclared(live, wanted, path)) return wanted;
    if (isHidden(live, path)) {
      if (wanted !== undefined && isAsBeforeWrite(live, path)) return hidden;
      if (written !== undefined) onNotCompared(path, "hidden");
      return written ?? hidden;
    }
    if (live === undefined) return undefined;
    if (reference !== undefined) {
      if (resolution?.problem === undefined) return differingForm(reference);
      onNotCompared(path, "unresolved");
      return written !== undefined && referenceAt(written, path) !== undefined ? written : differingForm(reference);
    }
    return revealParts({ live, wanted, written }, path);
  };
  const revealParts = ({ live, wanted, written }: Versions & { live: JsonValue }, path: SettingPath): Seen => {
    const holdsSecret = wanted !== undefined && hasReference(wanted, path);
    if (written !== undefined && !holdsSecret && hasReference(written, path)) return differing(written, path);
    if (holdsSecret && !isOfSameShape(live, wanted)) return differing(wanted, path);
    if (isMistakable(live, path)) return { literal: live };
    const isUndeclaredHere = (key: string) => holdsSecret && isJsonObject(wanted) && !Object.hasOwn(wanted, key);
    const child = (key: string | number) => {
      if (isUndeclaredHere(String(key))) return withheld;
      const versions = { live: partOf(live, key), wanted: partOf(wanted, key), written: partOf(written, key) };
      return reveal(versions, [...path, String(key)]);
    };
    if (Array.isArray(live)) return live.map((_, index) => child(index) ?? null);
    if (typeof live === "string" && (isDoubtful || secrets.isValue(live))) return withheld;
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

/** Whether a live value is what a declared one means that refers to no secret. */
function isAsDeclared(live: JsonValue | undefined, wanted: JsonValue, path: SettingPath): boolean {
  if (typeof wanted !== "object" || wanted === null) return live === wanted;
  if (hasReference(wanted, path)) return false;
  return isDeepStrictEqual(live, mapReferences(wanted, path, declaredForm));
}

/** Whether the parts of a live value can be compared one by one with those of a declared object or list. */
function isOfSameShape(live: JsonValue, wanted: JsonValue): boolean {
  if (Array.isArray(wanted)) return Array.isArray(live) && live.length === wanted.length;
  return isJsonObject(live);
}

/** The value with a placeholder for each part that the platform hides and that was never written; `undefined` if it hides all. */
export function shownPart(seen: Seen | undefined): JsonValue | undefined {
  return seen === undefined || seen === hidden ? undefined : withPlaceholders(seen);
}

function withPlaceholders(seen: Seen): JsonValue {
  if (seen === hidden) return withheld;
  if (typeof seen !== "object" || seen === null) return seen;
  if (Array.isArray(seen)) return seen.map(withPlaceholders);
  return Object.fromEntries(Object.entries(seen).map(([key, part]) => [key, withPlaceholders(part)]));
}
