import { maxDepth } from "../api/index.ts";

/**
 * Where a value cannot be taken for config, whatever it means: nested too deep for those that meet it later, or with a key
 * that does not survive on the way to the platform. Without recursion, since it guards against what recursion does not
 * survive.
 */
export function unfitPart(root: unknown): { path: readonly string[]; reason: string } | undefined {
  const open: Part[] = [{ value: root, path: [] }];
  for (let part = open.pop(); part !== undefined; part = open.pop()) {
    const { value, path } = part;
    if (typeof value !== "object" || value === null) continue;
    if (path.length >= maxDepth) return { path: path.slice(0, 3), reason: tooDeep };
    for (const [key, inner] of Object.entries(value)) {
      if (key === "__proto__") return { path, reason: protoKey };
      open.push({ value: inner, path: [...path, key] });
    }
  }
  return undefined;
}

export const tooDeep = `is nested more than ${maxDepth} levels deep`;
export const protoKey = "has a key __proto__, which does not survive on the way to the platform";

interface Part {
  value: unknown;
  path: readonly string[];
}
