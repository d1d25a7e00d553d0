/** How many levels of objects and lists a value may have. Recursive functions overflow the stack on deeper values. */
export const maxDepth = 200;

/** The message for a value that is deeper than {@link maxDepth}. */
export const tooDeep = `is nested more than ${maxDepth} levels deep`;

/** Whether objects and lists are nested deeper than `limit` levels. It does not recurse, as any depth may come. */
export function isDeeperThan(root: unknown, limit: number): boolean {
  let level = [root].filter(isContainer);
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth === limit) return true;
    const next: object[] = [];
    for (const container of level) {
      // A list is not copied: it may have millions of items.
      for (const value of Array.isArray(container) ? container : Object.values(container)) {
        if (isContainer(value)) next.push(value);
      }
    }
    level = next;
  }
  return false;
}

function isContainer(value: unknown): value is object {
  return typeof value === "object" && value !== null;
}
