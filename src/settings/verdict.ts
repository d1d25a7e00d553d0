import { isDeepStrictEqual } from "node:util";
import { isJsonObject, type JsonValue } from "../json/json-value.ts";
import { partOf } from "../json/key-path.ts";
import type { PlatformAnswers } from "../platform-profile/questions.ts";
import type { SettingPath } from "./reveal.ts";

/**
 * What the platform made of a declared value that it accepted and does not show:
 * - `own form`: it shows the value in a form of its own, which counts as the declared one from now on.
 * - `cannot be seen`: a secret that reads hide. The written value counts as what the platform has.
 * - `remains`: an addition that was there before the write. There is another way to remove it.
 * - `not taken`: it ignored the value, or a part of it.
 * - `written by others`: the answer shows another value than the reads do, or, if no answer shows it, reads show different values
 *   after two writes.
 * - `open`: a later read, or another write, has to tell.
 */
export type Verdict = "own form" | "cannot be seen" | "remains" | "not taken" | "written by others" | "open";

/** What is known about the smallest part of a value that differs. `undefined` is a value that is not there. */
export interface Evidence {
  declared: JsonValue | undefined;
  /** What was shown before this operation wrote the value. */
  before: JsonValue | undefined;
  /** What a read shows that began after the last write was answered. */
  shown: JsonValue | undefined;
  /** What the answer to the last write shows; absent if it shows nothing of the setting. */
  answered?: { value: JsonValue | undefined } | undefined;
  /** What reads showed after the write before the last one; absent if there was only one. */
  shownEarlier?: { value: JsonValue | undefined } | undefined;
  /** Whether the read began after the consistency timeout. */
  isFinalRead: boolean;
  /** The value is a secret, contains one or is a part of one. */
  isSecret: boolean;
  /** Whether reads have shown the secret until now, as it was written. */
  wasShown: boolean;
  /** Whether the platform is known to show values of this place in a form of its own, and so. */
  isKnownForm: boolean;
  /** Whether the profile says that the platform shows values in forms of its own. */
  hasOwnForms: boolean;
  /** What the profile says that reads show in place of secrets; `undefined` if it does not say. */
  display: PlatformAnswers["secrets.display"];
  /** Whether the last write has sent null to remove what is not declared. */
  hasSentNull: boolean;
  /** Whether it is a key that was declared and no longer is: it must not stay. */
  isRemovedKey: boolean;
}

/** Judges one part: docs/decisions/own-forms.md has the rule as a table. */
export function verdictOn(evidence: Evidence): Verdict {
  const { declared, before, shown, answered, shownEarlier, isFinalRead } = evidence;
  const isAnswered = answered !== undefined && isDeepStrictEqual(answered.value, shown);
  const isNullLeft = evidence.hasSentNull && shown === null; // we have sent it, so it is no form of the platform's
  const isAddition = declared === undefined && (isDeepStrictEqual(shown, before) || isNullLeft);
  if (evidence.isRemovedKey || isAddition) {
    if (!isAnswered && !isFinalRead) return "open";
    const mayStay = evidence.hasSentNull && !isNullLeft && !evidence.isRemovedKey && !evidence.isSecret;
    return mayStay ? "own form" : "remains";
  }
  if (evidence.isSecret && declared !== undefined) {
    const isOld = evidence.wasShown && isDeepStrictEqual(shown, before);
    if (isOld || evidence.display === "shown") return isFinalRead ? "not taken" : "open";
    return isAnswered || isFinalRead || isHiddenAs(evidence.display, shown) ? "cannot be seen" : "open";
  }
  const mayBeForm = evidence.isKnownForm || takesAll(declared, evidence.hasOwnForms ? undefined : before, shown);
  if (!mayBeForm) return isFinalRead ? "not taken" : "open";
  const isNew = !isDeepStrictEqual(shown, before);
  const isExpected = evidence.isKnownForm || evidence.hasOwnForms;
  if (isAnswered || (isExpected && (isFinalRead || isNew))) return "own form";
  if (!isFinalRead || shownEarlier === undefined) return "open";
  const isStable = answered === undefined && isDeepStrictEqual(shownEarlier.value, shown);
  return isStable ? "own form" : "written by others";
}

/** Whether a read shows in place of a secret what the profile says. */
function isHiddenAs(display: PlatformAnswers["secrets.display"], shown: JsonValue | undefined): boolean {
  if (display === "omitted") return shown === undefined;
  if (display === "null") return shown === null;
  return display === "masked" && typeof shown === "string";
}

/**
 * Whether what is shown has all of a declared value: each part that is not empty, lists of the same length, and nothing that
 * changed with the write shows what it showed before.
 */
export function takesAll(
  declared: JsonValue | undefined,
  before: JsonValue | undefined,
  shown: JsonValue | undefined,
): boolean {
  if (declared === undefined || isDeepStrictEqual(declared, shown)) return true;
  if (shown === undefined) return isEmpty(declared);
  if (typeof declared !== "object" || declared === null || isEmpty(declared)) {
    if (typeof declared !== "object" && typeof shown === "object" && shown !== null) return false; // no form of a text is a list
    return isDeepStrictEqual(declared, before) || !isDeepStrictEqual(shown, before);
  }
  if (Array.isArray(declared)) {
    if (!Array.isArray(shown) || shown.length !== declared.length) return false;
  } else if (!isJsonObject(shown)) return false;
  return Object.entries(declared).every(([key, part]) => takesAll(part, partOf(before, key), partOf(shown, key)));
}

function isEmpty(value: JsonValue): boolean {
  if (typeof value !== "object") return value === "";
  return value === null || Object.keys(value).length === 0;
}

/**
 * The smallest parts in which two values differ. A list is one part, unless it has a secret: then its items are compared one by
 * one if there are as many.
 *
 * @param isSecretWithin whether the value at a path contains a secret.
 */
export function differingPaths(
  declared: JsonValue | undefined,
  shown: JsonValue | undefined,
  path: SettingPath,
  isSecretWithin: (path: SettingPath) => boolean,
): SettingPath[] {
  if (isDeepStrictEqual(declared, shown)) return [];
  const areLists = Array.isArray(declared) && Array.isArray(shown) && declared.length === shown.length;
  const haveParts = areLists ? isSecretWithin(path) : isJsonObject(declared) && isJsonObject(shown);
  if (!haveParts) return [path];
  const keys = new Set([...Object.keys(Object(declared)), ...Object.keys(Object(shown))]);
  return [...keys].flatMap((key) =>
    differingPaths(partOf(declared, key), partOf(shown, key), [...path, key], isSecretWithin),
  );
}
