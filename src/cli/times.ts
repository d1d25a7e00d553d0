/** The time from one time to a later one, in its largest unit: `45s`, `12m`, `5h`, `3d`. Less than none is `0s`. */
export function durationBetween(from: string, to: string): string {
  const seconds = Math.max(0, Math.floor((Date.parse(to) - Date.parse(from)) / 1000));
  if (seconds < 60) return `${seconds}s`;
  if (seconds < 3600) return `${Math.floor(seconds / 60)}m`;
  if (seconds < 86_400) return `${Math.floor(seconds / 3600)}h`;
  return `${Math.floor(seconds / 86_400)}d`;
}

/** `2026-11-22 14:05` of a time in ISO 8601. */
export function utcMinute(time: string): string {
  return time.slice(0, 16).replace("T", " ");
}
