/**
 * Parses a date in a header of HTTP.
 *
 * @returns milliseconds since the epoch; undefined for any other string. `Date.parse` alone accepts almost any string.
 */
export function parseHttpDate(text: string): number | undefined {
  const parsed = httpDate.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(parsed) ? undefined : parsed;
}

/** For example `Sun, 06 Nov 1994 08:49:37 GMT`, or in the old form `Sunday, 06-Nov-94 08:49:37 GMT`. */
const httpDate = /^[A-Z][a-z]{2,8}, \d{2}[ -][A-Z][a-z]{2}[ -](\d{4}|\d{2}) \d{2}:\d{2}:\d{2} GMT$/;
