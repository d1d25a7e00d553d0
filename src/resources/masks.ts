import type { JsonValue } from "../api/index.ts";

/** Three or more stars or bullets and nothing else, or with an end or a beginning of the value left readable. */
const stars = /^(?:[\w-]{1,6})?[*•●∙·]{3,}$|^[*•●∙·]{3,}[\w-]{1,6}$/u;

/** Words that stand for a hidden value. Without their brackets they could be a value: a column may be "hidden". */
const marker = /^[([<](?:hidden|redacted|masked|filtered|encrypted|secret|sensitive(?: value)?)[)\]>]$/i;

/** Whether a value is what the platform shows in place of one that it hides. */
export function isMask(value: JsonValue | undefined): boolean {
  return typeof value === "string" && (stars.test(value) || marker.test(value));
}

/** Whether a value is hidden by the platform, in whole or in part. */
export function hasMask(value: JsonValue): boolean {
  if (typeof value !== "object" || value === null) return isMask(value);
  return Object.values(value).some(hasMask);
}
