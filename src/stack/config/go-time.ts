/**
 * A time in the form of Go, `2026-12-20 06:00:00 +0200 CEST`, as ISO 8601; `undefined` for any other text. The engine reads a
 * time that a file has without quotes, passes it on in this form, and writes it into the stack's file.
 */
export function isoOfGoTime(text: string): string | undefined {
  const [, day, time, hours, minutes] = goTime.exec(text) ?? [];
  if (day === undefined) return undefined;
  const offset = `${hours}:${minutes}`;
  return `${day}T${time}${offset === "+00:00" ? "Z" : offset}`;
}

const goTime = /^(\d{4}-\d{2}-\d{2}) (\d{2}:\d{2}:\d{2}(?:\.\d+)?) ([+-]\d{2})(\d{2}) \S+$/;
