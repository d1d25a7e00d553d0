import type { SchemaViolation } from "./schema-violation.ts";

/** One of several subschemas must fit, or must not. The violations of each are reported too. */
export const choiceKeywords: ReadonlySet<string> = new Set(["anyOf", "oneOf", "not", "if"]);

type Place = Pick<SchemaViolation, "keyword" | "path" | "schemaPath">;

/**
 * Whether a violation may be one of a choice's subschemas, which need not fit. A rule behind a reference does not show from
 * where the reference leads to it, so it may.
 *
 * @param choice the violation of a {@link choiceKeywords choice keyword}.
 */
export function mayBelongTo(choice: Place, { path, schemaPath }: Place): boolean {
  if (!choice.path.every((key, index) => key === path[index])) return false;
  const parent = choice.schemaPath.slice(0, choice.schemaPath.lastIndexOf("/"));
  const branches = choice.keyword === "if" ? ["then", "else"] : [choice.keyword];
  if (branches.some((branch) => schemaPath.startsWith(`${parent}/${branch}/`))) return true;
  return !schemaPath.startsWith(`${parent}/`) || /^\/(\$defs|definitions)\//.test(schemaPath.slice(parent.length));
}
