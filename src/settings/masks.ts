import type { JsonValue } from "../json/json-value.ts";

/** Three or more stars or bullets, alone or with the readable start or end of the value. */
const stars = /^(?:[\w-]{1,6})?[*•●∙·]{3,}$|^[*•●∙·]{3,}[\w-]{1,6}$/u;

/** Such stars or bullets at the start or the end of any text. */
const starredEnd = /^[*•●∙·]{3,}|[*•●∙·]{3,}$/u;

/** Words in brackets that replace a hidden value. Without brackets they could be real values: a column may be "hidden". */
const marker = /^[([<](?:hidden|redacted|masked|filtered|encrypted|secret|sensitive(?: value)?)[)\]>]$/i;

/** The name of a hash function and what may be its result, such as `sha256:9f86d081884c`. */
const digest = /^(?:md5|sha-?\d{1,3}(?:-\d{1,3})?|hmac(?:-\w{1,9})?|blake\w{1,3})[:=-][\w+/=-]{6,}$/i;

/** Whether a value is a mask, which the platform sends in place of a value that it hides. */
export function isMask(value: JsonValue | undefined): boolean {
  return typeof value === "string" && (stars.test(value) || marker.test(value));
}

/** Whether a value that the schema marks as secret may be a mask: also one with readable characters of the secret, or a digest. */
export function mayBeMask(value: JsonValue | undefined): boolean {
  return isMask(value) || (typeof value === "string" && (starredEnd.test(value) || digest.test(value)));
}

/** Whether a value is or contains a mask. */
export function hasMask(value: JsonValue): boolean {
  if (typeof value !== "object" || value === null) return isMask(value);
  return Object.values(value).some(hasMask);
}
