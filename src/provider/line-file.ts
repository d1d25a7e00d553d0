import { appendFileSync, existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import type { z } from "zod";

/** Writes each value as a line of the file, at once, because the engine kills its providers; or nothing without a file. */
export function lineRecorder(path: string | undefined): (value: object) => void {
  if (path === undefined || path === "") return () => {};
  return (value) => appendFileSync(path, `${JSON.stringify(value)}\n`);
}

/** The values in the file; none if no provider has written it. */
export async function recordedLines<Line>(path: string, schema: z.ZodType<Line>): Promise<Line[]> {
  if (!existsSync(path)) return [];
  const lines = (await readFile(path, "utf8")).split("\n").filter(Boolean);
  return lines.map((line) => schema.parse(JSON.parse(line)));
}
