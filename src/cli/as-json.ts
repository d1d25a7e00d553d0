/** A value as JSON for people and programs. */
export function asJson(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}
