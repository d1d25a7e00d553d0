/**
 * Parses a date of the platform. One with a time and without an offset is in UTC; `Date.parse` alone would read it in the time
 * zone of this machine.
 *
 * @returns milliseconds since the epoch; `NaN` for any other string.
 */
export function parsePlatformDate(text: string): number {
  const hasNoOffset = /^\d{4}-\d\d-\d\d[T ]\d\d:\d\d(:\d\d(\.\d+)?)?$/.test(text);
  return Date.parse(hasNoOffset ? `${text}Z` : text);
}
