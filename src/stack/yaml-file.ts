import { readFileSync } from "node:fs";
import {
  type Document,
  isAlias,
  isCollection,
  isMap,
  isNode,
  isPair,
  LineCounter,
  type Node,
  parseDocument,
} from "yaml";

/** A path of keys. */
export type KeyPath = readonly PropertyKey[];

/** A YAML file that knows where things stand. */
export interface YamlFile {
  /** `tenants/billing.yaml:8:20`, of the key or the nearest one around it. */
  locate(path: KeyPath): string;
  /** What stands at a path; `undefined` where nothing does. */
  valueAt(path: KeyPath): unknown;
  /** Why it is not YAML, if it is not, each with its place. */
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
  return {
    locate: (keys) => position(nearestNode(document, keys)?.range?.[0] ?? 0),
    valueAt: (keys) => nodeAt(document, keys)?.toJS(document),
    errors: document.errors.map(({ pos: [start], message }) => ({ where: position(start), reason: message })),
  };
}

function nodeAt(document: Document.Parsed, keys: KeyPath): Node | undefined {
  const start = isNode(document.contents) ? document.contents : undefined;
  return keys.reduce<Node | undefined>((node, key) => child(document, node, key), start);
}

/** The place itself; a key's own place where the key is what is wrong; else what is around it. */
function nearestNode(document: Document.Parsed, keys: KeyPath): Node | undefined {
  const key = keyNode(document, keys);
  if (key !== undefined || keys.length === 0) return key ?? nodeAt(document, []);
  return nearestNode(document, keys.slice(0, -1));
}

function keyNode(document: Document.Parsed, keys: KeyPath): Node | undefined {
  const [last] = keys.slice(-1);
  const around = nodeAt(document, keys.slice(0, -1));
  if (!isMap(around)) return nodeAt(document, keys);
  const pair = around.items.find(({ key }) => isNode(key) && String(key.toJS(document)) === String(last));
  return isPair(pair) && isNode(pair.key) ? pair.key : undefined;
}

function child(document: Document.Parsed, around: Node | undefined, key: PropertyKey): Node | undefined {
  if (!isCollection(around)) return undefined;
  const found = around.get(typeof key === "symbol" ? String(key) : key, true);
  if (isAlias(found)) return found.resolve(document);
  return isNode(found) ? found : undefined;
}
