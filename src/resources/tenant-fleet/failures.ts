import type { Platform } from "../platform.ts";

const shownMaximum = 20;

/** The first failures in words; all of them, if there are more, in a file that the message names. */
export function describeFailures({ keep }: Platform, failures: readonly { item: string; error: unknown }[]): string {
  const lines = failures.map(
    ({ item: key, error }) => `${key}: ${error instanceof Error ? error.message : String(error)}`,
  );
  const count = failures.length === 1 ? "a tenant is" : `${failures.length} tenants are`;
  const head = `${count} not as declared; the rest is done, and the next up does only what is left`;
  const shown = lines.slice(0, shownMaximum).map((line) => `\n  ${line}`);
  if (lines.length <= shownMaximum) return `${head}:${shown.join("")}`;
  const path = keep("fleet-failures", `${lines.join("\n")}\n`);
  return `${head}:${shown.join("")}\n  and ${lines.length - shownMaximum} more; all of them are in ${path}`;
}
