/** The ids of tenants as a string, as a list of numbers would take ten times the space in a state. */
export function writeIds(ids: Iterable<number>): string {
  return [...ids].join(" ");
}

/** The ids of a string that {@link writeIds} wrote. */
export function readIds(text: string): number[] {
  return text === "" ? [] : text.split(" ").map(Number);
}
