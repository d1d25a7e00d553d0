import leven from "leven";

interface ShortListOptions {
  /** How many are shown. Default 10. */
  maximum?: number;
  /** What somebody wrote in place of one of the texts. Of more than are shown, the nearest ones come first. */
  wanted?: string | undefined;
  /** Default `, `. */
  separator?: string;
}

/**
 * Some of many texts, for a message: users and platforms may have thousands.
 *
 * @example
 * shortList(keys) // `acme, bluebird and 4,990 more`
 */
export function shortList(
  texts: readonly string[],
  { maximum = 10, wanted, separator = ", " }: ShortListOptions = {},
): string {
  const rest = texts.length - maximum;
  if (rest <= 0) return texts.join(separator);
  const ordered = wanted === undefined ? texts : nearestFirst(texts, wanted);
  return `${ordered.slice(0, maximum).join(separator)} and ${rest.toLocaleString("en")} more`;
}

function nearestFirst(texts: readonly string[], wanted: string): string[] {
  const start = beginning(wanted);
  const distances = new Map(texts.map((text) => [text, leven(start, beginning(text))]));
  return texts.toSorted((one, other) => (distances.get(one) ?? 0) - (distances.get(other) ?? 0));
}

/** As much of a text as is compared. The distance of two texts costs the product of their lengths. */
function beginning(text: string): string {
  return text.slice(0, 100).toLowerCase();
}
