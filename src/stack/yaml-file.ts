import { readFileSync } from "node:fs";
import { type Document, isAlias, isMap, isNode, isScalar, isSeq, LineCounter, type Node, parseDocument } from "yaml";
import { valueAt } from "../json-schema/index.ts";
import { createPairFinder, type PairFinder } from "./yaml-pairs.ts";

/** A path of keys. */
export type KeyPath = readonly PropertyKey[];

/** A YAML file that knows where things stand. */
export interface YamlFile {
  /** `tenants/billing.yaml:8:20`, of the key or the nearest one around it. */
  locate(path: KeyPath): string;
  /** What stands at a path, merged keys and aliases resolved; `undefined` where nothing does. */
  valueAt(path: KeyPath): unknown;
  /** Why it is not YAML, if it is not, each with its place; then it has no values. */
  errors: readonly { where: string; reason: string }[];
}

/** @param name what messages call the file. */
export function openYamlFile(path: string, name: string): YamlFile {
  const text = readFileSync(path, "utf8");
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, merge: true, prettyErrors: false });
  const position = (offset: number) => {
    const { line, col } = lines.linePos(offset);
    return `${name}:${line}:${col}`;
  };
  const misread = document.errors.map(({ pos: [start], message }) => ({ where: position(start), reason: message }));
  const { value, error } = misread.length > 0 ? {} : read(document);
  const pairOf = createPairFinder(document);
  return {
    locate: (keys) => position(nearestNode(document, pairOf, keys)?.range?.[0] ?? 0),
    valueAt: (keys) => valueAt(value, keys),
    errors: error === undefined ? misread : [{ where: position(0), reason: error }],
  };
}

/** The whole as plain values: only so are the keys those that everybody else reads, texts even where they are numbers. */
function read(document: Document.Parsed): { value?: unknown; error?: string } {
  try {
    return { value: document.toJS({ maxAliasCount: -1 }) ?? undefined }; // thousands of tenants may share an anchor
  } catch (error) {
    return { error: error instanceof Error ? error.message : String(error) };
  }
}

/** The place itself; a key's own place where the key is what is wrong; else what is around it. */
function nearestNode(document: Document.Parsed, pairOf: PairFinder, keys: KeyPath): Node | undefined {
  const start = isNode(document.contents) ? document.contents : undefined;
  let around: Node | undefined = start;
  let nearest: Node | undefined = start;
  for (const key of keys) {
    const pair = isMap(around) ? pairOf(around, String(key)) : undefined;
    const item = isSeq(around) ? around.get(Number(key), true) : pair?.value;
    around = isAlias(item) ? item.resolve(document) : isNode(item) ? item : undefined;
    nearest = (isScalar(pair?.key) ? pair.key : around) ?? nearest;
    if (around === undefined) return nearest;
  }
  return nearest;
}
