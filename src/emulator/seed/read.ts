import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { type Document, isNode, LineCounter, parseDocument } from "yaml";
import type { z } from "zod";
import { type ParsedSeed, type Seed, seedSchema } from "./schema.ts";

/** The path of the seed that an emulator begins with when it is given none. */
export const builtInSeed = fileURLToPath(new URL("../seed.yaml", import.meta.url));

/**
 * A seed, checked: an object, or the path of a YAML file.
 *
 * @throws Error with every problem, each with its place in the seed (and in the file, by line and column).
 */
export function readSeed(seed: Seed | string): ParsedSeed {
  return typeof seed === "string" ? readFile(seed) : check(seed, "the seed", () => "");
}

function readFile(path: string): ParsedSeed {
  const lines = new LineCounter();
  const document = parseDocument(readText(path), { lineCounter: lines, merge: true });
  const [syntaxError] = document.errors;
  if (syntaxError) throw new Error(`${path}: ${syntaxError.message}`);
  return check(document.toJS() ?? {}, path, (issuePath) => position(document, lines, issuePath));
}

function readText(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch (cause) {
    throw new Error(`the seed file ${path} cannot be read`, { cause });
  }
}

function check(seed: unknown, source: string, positionOf: (path: readonly PropertyKey[]) => string): ParsedSeed {
  const parsed = seedSchema.safeParse(seed);
  if (parsed.success) return parsed.data;
  throw new Error(
    [`${source} is not a seed:`, ...parsed.error.issues.map((issue) => describe(issue, positionOf))].join("\n"),
  );
}

function describe(issue: z.core.$ZodIssue, positionOf: (path: readonly PropertyKey[]) => string): string {
  return `  ${positionOf(issue.path)}${pathText(issue.path)}: ${issue.message}`;
}

/** `tenants[3].name`, as messages about seeds write a place. */
export function pathText(path: readonly PropertyKey[]): string {
  return path
    .map((segment, index) =>
      typeof segment === "number" ? `[${segment}]` : `${index > 0 ? "." : ""}${String(segment)}`,
    )
    .join("");
}

/** "12:5 " for the innermost node of the path that the file has. */
function position(document: Document, lines: LineCounter, path: readonly PropertyKey[]): string {
  for (let length = path.length; length > 0; length--) {
    const node = document.getIn(path.slice(0, length), true);
    if (!isNode(node) || !node.range) continue;
    const { line, col } = lines.linePos(node.range[0]);
    return `${line}:${col} `;
  }
  return "";
}
