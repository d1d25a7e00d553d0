import { shortList } from "../../json/short-list.ts";
import type { OperationContext } from "../../operation/operation-context.ts";

/** A number of tenants in messages: `1 tenant`, `212 tenants`. */
export function describeCount(tenants: number): string {
  return tenants === 1 ? "1 tenant" : `${tenants} tenants`;
}

/** The first 20 of some strings in messages: `acme, bluebird and 3 more`. */
export function listOf(texts: readonly string[]): string {
  return shortList(texts, { maximum: 20 });
}

const shownMaximum = 20;

/** A message with the first failures. If there are more, all are written to a report whose path is in the message. */
export function describeFailures(
  { writeReport }: OperationContext,
  failures: readonly { item: string; error: unknown }[],
): string {
  const lines = failures.map(
    ({ item: key, error }) => `${key}: ${error instanceof Error ? error.message : String(error)}`,
  );
  const count = failures.length === 1 ? "a tenant is" : `${failures.length} tenants are`;
  const head = `${count} not as declared; the rest is done. The next up does only what is left`;
  const shown = lines.slice(0, shownMaximum).map((line) => `\n  ${line}`);
  if (lines.length <= shownMaximum) return `${head}:${shown.join("")}`;
  const more = `${lines.length - shownMaximum} more`;
  try {
    const path = writeReport("fleet-failures", `${lines.join("\n")}\n`);
    return `${head}:${shown.join("")}\n  and ${more}; all of them are in ${path}`;
  } catch (error) {
    // the caller is about to store what has been done
    const reason = error instanceof Error ? error.message : String(error);
    return `${head}:${shown.join("")}\n  and ${more}, of which no report can be written: ${reason}`;
  }
}
