import { readFileSync } from "node:fs";
import { type Document, isAlias, isMap, isNode, isScalar, isSeq, LineCounter, type Node, parseDocument } from "yaml";
import { valueAt } from "../json-schema/index.ts";
import { tooDeep } from "./config-limits.ts";
import { type Aliases, resolveAliases } from "./yaml-aliases.ts";
import { inexactNumbers } from "./yaml-numbers.ts";
import { createPairFinder, type PairFinder } from "./yaml-pairs.ts";

/** A path of keys. */
export type KeyPath = readonly PropertyKey[];

/** A YAML file that knows where things stand. */
export interface YamlFile {
  /** `tenants/billing.yaml:8:20`, of the key or the nearest one around it. */
  locate(path: KeyPath): string;
  /** What stands at a path, merged keys and aliases resolved; `undefined` where nothing does. */
  valueAt(path: KeyPath): unknown;
  /** Why it cannot be taken for values, if it cannot, each with its place; then it has none. */
  errors: readonly { where: string; reason: string }[];
  /** The numbers that JavaScript does not hold as they are written. */
  inexactNumbers: readonly { path: KeyPath; where: string }[];
}

/** @param name what messages call the file. */
export function openYamlFile(path: string, name: string): YamlFile {
  const text = readFileSync(path, "utf8");
  const lines = new LineCounter();
  const position = (offset: number) => {
    const { line, col } = lines.linePos(offset);
    return `${name}:${Math.max(line, 1)}:${Math.max(col, 1)}`;
  };
  const refused = (offset: number, reason: string): YamlFile => ({
    locate: () => position(offset),
    valueAt: () => undefined,
    errors: [{ where: position(offset), reason }],
    inexactNumbers: [],
  });
  try {
    const document = parseDocument(text, { lineCounter: lines, merge: true, prettyErrors: false });
    const errors = document.errors.map(({ pos: [start], message }) => ({
      where: position(start),
      reason: message.includes("call stack") ? tooDeep : `this is no YAML: ${message}`,
    }));
    if (errors.length > 0) return { ...refused(0, ""), errors };
    const { aliases, misfit } = resolveAliases(document);
    if (misfit !== undefined) return refused(misfit.offset, misfit.reason);
    const value = valuesOf(document);
    const pairOf = createPairFinder(aliases);
    return {
      locate: (keys) => position(nearestNode(document, aliases, pairOf, keys)?.range?.[0] ?? 0),
      valueAt: (keys) => valueAt(value, keys),
      errors: [],
      inexactNumbers: inexactNumbers(document).map(({ path, offset }) => ({ path, where: position(offset) })),
    };
  } catch (error) {
    // The parser goes as deep as the text does.
    return refused(0, error instanceof RangeError ? tooDeep : String(error));
  }
}

/** The whole as plain values: only so are the keys those that everybody else reads, texts even where they are numbers. */
function valuesOf(document: Document.Parsed): unknown {
  return document.toJS({ maxAliasCount: -1 }) ?? undefined; // what aliases stand for has been counted
}

/** The place itself; a key's own place where the key is what is wrong; else what is around it. */
function nearestNode(document: Document.Parsed, aliases: Aliases, pairOf: PairFinder, keys: KeyPath): Node | undefined {
  const start = isNode(document.contents) ? document.contents : undefined;
  let around: Node | undefined = start;
  let nearest: Node | undefined = start;
  for (const key of keys) {
    const pair = isMap(around) ? pairOf(around, String(key)) : undefined;
    const item = isSeq(around) ? around.get(Number(key), true) : pair?.value;
    around = isAlias(item) ? aliases.get(item) : isNode(item) ? item : undefined;
    nearest = (isScalar(pair?.key) ? pair.key : around) ?? nearest;
    if (around === undefined) return nearest;
  }
  return nearest;
}
