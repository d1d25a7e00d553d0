import { closestMatch } from "leven";
import { oneLine } from "../json/one-line.ts";
import { shortList } from "../json/short-list.ts";

/**
 * The end of an error message about an unknown name. It suggests the closest known name, or lists the known names.
 *
 * @example
 * didYouMean("crm-to-biling", ["crm-to-billing"]) // `; did you mean "crm-to-billing"?`
 */
export function didYouMean(wanted: string, known: readonly string[]): string {
  const match = closest(wanted, known);
  if (match !== undefined) return `; did you mean "${oneLine(match)}"?`;
  if (known.length === 0) return "; there are none";
  return `; there are ${shortList(
    known.map((name) => `"${oneLine(name)}"`),
    { maximum: 15 },
  )}`;
}

/** The known name that somebody who wrote another one probably meant. */
export function closest(wanted: string, known: readonly string[]): string | undefined {
  const sameLetters = known.find((name) => name.toLowerCase() === wanted.toLowerCase());
  return sameLetters ?? closestMatch(wanted, [...known], { maxDistance: Math.max(2, Math.floor(wanted.length / 2)) });
}
