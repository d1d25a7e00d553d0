import { isDeepStrictEqual } from "node:util";
import { isJsonObject, type JsonValue } from "../json/json-value.ts";
import { partOf } from "../json/key-path.ts";
import type { ReleaseSchema } from "../json-schema/index.ts";
import { withheld } from "../secrets/placeholders.ts";
import { declaredForm, differingForm, isMistakable, referenceAt } from "../secrets/reference.ts";
import { type SecretTable, unresolvedIn } from "../secrets/secret-table.ts";
import { differing, hasReference, mapReferences } from "../secrets/walk.ts";
import { isMask } from "./masks.ts";

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

export interface RevealOptions {
  schema: ReleaseSchema;
  /** The paths of the secrets that reads hide. */
  unreadable: readonly SettingPath[];
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
export function revealer({ schema, unreadable, secrets, onNotCompared }: RevealOptions) {
  /** Whether a secret of the key at hand has no value now, so that a live text next to it may be that secret. */
  let isDoubtful = false;
  const reveal = ({ live, wanted, written }: Versions, path: SettingPath): JsonValue | undefined => {
    if (path.length === 1) isDoubtful = wanted !== undefined && unresolvedIn(secrets, wanted, path).length > 0;
    // an earlier read withheld it, perhaps for the sake of a reference that is no longer declared
    if (wanted === withheld) return live === undefined ? undefined : withheld;
    const reference = referenceAt(wanted, path);
    const resolution = reference && secrets.resolutionOf(reference);
    if (reference !== undefined && live !== undefined && isDeepStrictEqual(live, resolution?.value)) {
      return declaredForm(reference);
    }
    if (wanted !== undefined && isAsDeclared(live, wanted, path)) return wanted;
    if (wanted !== undefined && unreadable.some((other) => isDeepStrictEqual(other, path))) {
      if (written !== undefined) onNotCompared(path, "hidden");
      return written;
    }
    if (live === undefined) return undefined;
    // a state must not hold what nobody declares as secret, and `ignoreChanges` would write a mask back
    if (isMask(live) || (wanted === undefined && schema.isHidden(path))) return withheld;
    if (reference !== undefined) {
      if (resolution?.problem === undefined) return differingForm(reference);
      onNotCompared(path, "unresolved");
      return written !== undefined && referenceAt(written, path) !== undefined ? written : differingForm(reference);
    }
    return revealParts({ live, wanted, written }, path);
  };
  const revealParts = ({ live, wanted, written }: Versions & { live: JsonValue }, path: SettingPath): JsonValue => {
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
