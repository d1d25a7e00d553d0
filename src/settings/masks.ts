import type { JsonValue } from "../json/json-value.ts";

/** Three or more stars or bullets, alone or with the readable start or end of the value. */
const stars = /^(?:[\w-]{1,6})?[*•●∙·]{3,}$|^[*•●∙·]{3,}[\w-]{1,6}$/u;

/** Words in brackets that replace a hidden value. Without brackets they could be real values: a column may be "hidden". */
const marker = /^[([<](?:hidden|redacted|masked|filtered|encrypted|secret|sensitive(?: value)?)[)\]>]$/i;

/** Whether a value is a mask, which the platform sends in place of one that it hides. It must never be written back. */
export function isMask(value: JsonValue | undefined): boolean {
  return typeof value === "string" && (stars.test(value) || marker.test(value));
}

/** Whether a value is or contains a mask. */
export function hasMask(value: JsonValue): boolean {
  if (typeof value !== "object" || value === null) return isMask(value);
  return Object.values(value).some(hasMask);
}
