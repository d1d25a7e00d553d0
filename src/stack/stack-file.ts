import { existsSync, readFileSync } from "node:fs";
import { basename } from "node:path";
import { isDeepStrictEqual } from "node:util";
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

/** A path of keys in the config, from the name of the config key on: `["tenants", "acme", "schedule"]`. */
export type ConfigPath = readonly PropertyKey[];

/** The stack's YAML file, which knows where things stand and which of them are secret. */
export interface StackFile {
  /** `Pulumi.sandbox.yaml:8:20`, of the place or the nearest one around it. */
  locate(path: ConfigPath): string;
  /** Whether the place is a secret, `{ secure: ... }`. */
  isSecret(path: ConfigPath): boolean;
  /** Whether the file says of a config key what the engine says, secrets aside: only then can it be trusted for the rest. */
  agrees(key: string, value: unknown): boolean;
}

const namespace = "integration-platform";

/** Opens the file; `undefined` where there is none, as with `--config-file` or config that is kept elsewhere. */
export function openStackFile(path: string): StackFile | undefined {
  if (!existsSync(path)) return undefined;
  const text = readFileSync(path, "utf8");
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, merge: true, prettyErrors: false });
  if (document.errors.length > 0) return undefined;

  const position = (node: Node | undefined) => {
    const { line, col } = lines.linePos(node?.range?.[0] ?? 0);
    return `${basename(path)}:${line}:${col}`;
  };

  return {
    locate: (keys) => position(nearestNode(document, keys)),
    isSecret: (keys) => isSecure(nodeAt(document, keys)?.toJS(document)),
    agrees: (key, value) => agree(nodeAt(document, [key])?.toJS(document), value),
  };
}

function nodeAt(document: Document.Parsed, [key, ...rest]: ConfigPath): Node | undefined {
  const start = child(document, child(document, contents(document), "config"), `${namespace}:${String(key)}`);
  return rest.reduce<Node | undefined>((node, step) => child(document, node, step), start);
}

/** The place itself; a key's own place where the key is what is wrong; else what is around it. */
function nearestNode(document: Document.Parsed, keys: ConfigPath): Node | undefined {
  const key = keyNode(document, keys);
  if (key !== undefined) return key;
  return keys.length <= 1 ? child(document, contents(document), "config") : nearestNode(document, keys.slice(0, -1));
}

function keyNode(document: Document.Parsed, keys: ConfigPath): Node | undefined {
  const [last] = keys.slice(-1);
  const around =
    keys.length === 1 ? child(document, contents(document), "config") : nodeAt(document, keys.slice(0, -1));
  const name = keys.length === 1 ? `${namespace}:${String(last)}` : String(last);
  if (!isMap(around)) return nodeAt(document, keys);
  const pair = around.items.find(({ key }) => isNode(key) && String(key.toJS(document)) === name);
  return isPair(pair) && isNode(pair.key) ? pair.key : undefined;
}

function contents(document: Document.Parsed): Node | undefined {
  return isNode(document.contents) ? document.contents : undefined;
}

function child(document: Document.Parsed, around: Node | undefined, key: PropertyKey): Node | undefined {
  if (!isCollection(around)) return undefined;
  const found = around.get(typeof key === "symbol" ? String(key) : key, true);
  if (isAlias(found)) return found.resolve(document);
  return isNode(found) ? found : undefined;
}

function isSecure(value: unknown): boolean {
  if (typeof value !== "object" || value === null) return false;
  const [[key, text] = [], ...others] = Object.entries(value);
  return key === "secure" && typeof text === "string" && others.length === 0;
}

function agree(written: unknown, value: unknown): boolean {
  if (isSecure(written)) return true;
  if (typeof written !== "object" || written === null || typeof value !== "object" || value === null) {
    return isDeepStrictEqual(written, value) || String(written) === String(value);
  }
  const keys = new Set([...Object.keys(written), ...Object.keys(value)]);
  return [...keys].every((key) => agree(Reflect.get(written, key), Reflect.get(value, key)));
}
