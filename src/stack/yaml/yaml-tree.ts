import {
  type Alias,
  type Document,
  isAlias,
  isMap,
  isNode,
  isScalar,
  isSeq,
  type Node,
  type Pair,
  type Scalar,
  type YAMLMap,
  type YAMLSeq,
} from "yaml";
import { maxDepth, tooDeep } from "../../json/depth.ts";
import { isJsonObject } from "../../json/json-value.ts";
import { isExactNumber } from "../../json/number-text.ts";
import { goScalar, isGoKey } from "./go-scalar.ts";

/** A value of a YAML file that knows the places of its parts. An alias has the same node as its anchor. */
export interface YamlNode {
  /** The plain value: keys are strings, merged keys (`<<`) and aliases are resolved. */
  readonly value: unknown;
  /** The parts of a map by key, and of a list by index. */
  readonly parts: ReadonlyMap<string, YamlPart>;
  /** Set if it is a scalar in whose place something else may be sent. */
  readonly misread?: Misread;
}

/** A part of a map or a list. `offset` is where it starts in the file, or where its key does. */
export interface YamlPart {
  readonly offset: number;
  readonly node: YamlNode;
  /** Set if it is a part of a map with such a key. */
  readonly misreadKey?: Misread;
}

/**
 * A scalar that JavaScript cannot hold as it is written (9007199254740993, 1e400), that the Pulumi engine would read
 * otherwise in a stack's file (1_000, 2027-01-31), whose leading zeros every reader drops (0471), or a key that YAML turns
 * into another string in every file (1.10, True).
 */
export type Misread = { readonly offset: number } & (
  | { readonly by: "JavaScript" }
  | { readonly by: "engine" | "zeros" | "YAML"; readonly engineValue: unknown }
);

/** The message for a key that JavaScript objects treat in a special way. */
export const protoKey = "has a key __proto__, which would be lost on the way to the platform";

/** Tells why a node cannot be used, and where it starts in the file. */
export class UnusableNodeError extends Error {
  readonly offset: number;

  constructor(node: Node, reason: string) {
    super(reason);
    this.offset = offsetOf(node);
  }
}

/** A node with the size of its value, aliases resolved. */
interface SizedNode extends YamlNode {
  readonly valueCount: number;
  readonly depth: number;
}

/** Where an anchor is, and its node; `undefined` while the parts of the node are read. */
interface Anchor {
  readonly offset: number;
  node: SizedNode | undefined;
}

function leaf(value: unknown, misread?: Misread): SizedNode {
  return { value, parts: noParts, valueCount: 1, depth: 1, ...(misread && { misread }) };
}

const noParts: YamlNode["parts"] = new Map();

/**
 * Makes the tree of a document in one pass.
 *
 * @throws UnusableNodeError for values that JSON cannot hold, for aliases that repeat too many values, and for cycles.
 */
export function treeOf(document: Document.Parsed): YamlPart | undefined {
  const anchors = new Map<string, Anchor>();
  let writtenValues = 0;
  let repeatedValues = 0;

  const nodeOf = (node: unknown): SizedNode => {
    if (!isNode(node)) return leaf(null);
    if (isAlias(node)) return anchored(node);
    const anchor: Anchor = { offset: offsetOf(node), node: undefined };
    if (node.anchor) anchors.set(node.anchor, anchor);
    const result = isMap(node) ? mapOf(node) : isSeq(node) ? listOf(node) : scalarOf(node);
    if (result.depth > maxDepth) throw new UnusableNodeError(node, tooDeep);
    writtenValues += 1;
    anchor.node = result;
    return result;
  };

  const anchored = (alias: Alias): SizedNode => {
    const target = anchors.get(alias.source);
    if (target === undefined) {
      throw new UnusableNodeError(alias, `invalid YAML: there is no anchor &${alias.source} before this alias`);
    }
    const { node } = target;
    if (node === undefined) throw new UnusableNodeError(alias, `the anchor &${alias.source} contains itself`);
    repeatedValues += node.valueCount;
    const maximum = maxRepeatedValues(writtenValues);
    if (repeatedValues > maximum)
      throw new UnusableNodeError(alias, `the aliases stand for more than ${maximum} values`);
    return node;
  };

  const mapOf = (map: YAMLMap): SizedNode => {
    const parts = new Map<string, YamlPart>();
    const inside: SizedNode[] = [];
    const declared = new Set<string>();
    for (const pair of map.items) {
      if (isMergeKey(pair)) {
        requireNew(declared, "<<", pair, map);
        const source = nodeOf(pair.value);
        inside.push(source);
        for (const [key, part] of mergedParts(source, map)) if (!parts.has(key)) parts.set(key, part);
        continue;
      }
      const key = keyOf(pair, map);
      requireNew(declared, key, pair, map);
      const keyNode = nodeOf(pair.key);
      const node = nodeOf(pair.value);
      inside.push(keyNode, node);
      const offset = isNode(pair.key) ? offsetOf(pair.key) : offsetOf(map);
      const misreadKey = isScalar(pair.key) ? misreadKeyOf(pair.key, key) : undefined;
      parts.set(key, { offset, node, ...(misreadKey && { misreadKey }) });
    }
    refuseOtherTag(map);
    const value = Object.fromEntries([...parts].map(([key, { node }]) => [key, node.value]));
    return { value, parts, ...sizeOf(inside) };
  };

  const listOf = (list: YAMLSeq): SizedNode => {
    const parts = list.items.map((item): { offset: number; node: SizedNode } => {
      const node = nodeOf(item);
      const anchor = isAlias(item) ? anchors.get(item.source) : undefined;
      return { offset: anchor?.offset ?? offsetOf(isNode(item) ? item : list), node };
    });
    refuseOtherTag(list);
    const nodes = parts.map(({ node }) => node);
    const byIndex = new Map(parts.map((part, index) => [String(index), part]));
    return { value: nodes.map(({ value }) => value), parts: byIndex, ...sizeOf(nodes) };
  };

  const { contents } = document;
  return contents === null ? undefined : { offset: offsetOf(contents), node: nodeOf(contents) };
}

function scalarOf(scalar: Scalar): SizedNode {
  const { value } = scalar;
  const offset = offsetOf(scalar);
  if (isInexact(scalar)) return leaf(value, { offset, by: "JavaScript" });
  if (!isJsonScalar(value)) throw new UnusableNodeError(scalar, notJson);
  if (typeof value === "string" && !value.isWellFormed()) throw new UnusableNodeError(scalar, halfCharacter);
  const engineValue = engineValueOf(scalar);
  if (hasLeadingZeros(scalar)) return leaf(value, { offset, by: "zeros", engineValue });
  return engineValue === value ? leaf(value) : leaf(value, { offset, by: "engine", engineValue });
}

/** Whether it is a decimal number such as a cost center or a postcode, whose zeros belong to it. */
function hasLeadingZeros({ value, source = "" }: Scalar): boolean {
  return typeof value === "number" && /^[-+]?0\d+$/.test(source);
}

function offsetOf({ range }: Node): number {
  return range?.[0] ?? 0;
}

function sizeOf(inside: readonly SizedNode[]): Pick<SizedNode, "valueCount" | "depth"> {
  let [valueCount, depth] = [1, 1];
  for (const node of inside) {
    valueCount += node.valueCount;
    depth = Math.max(depth, node.depth + 1);
  }
  return { valueCount, depth };
}

/**
 * How many values aliases may repeat in a file with this many written values. Thousands of tenants may share an anchor, but
 * each value is worked on: a million takes a second, and a few lines can stand for more values than fit into memory.
 */
function maxRepeatedValues(written: number): number {
  return Math.min(10_000_000, Math.max(300_000, 500 * written));
}

function isMergeKey({ key }: Pair): boolean {
  return isScalar(key) && typeof key.value === "symbol" && key.value.description === "<<";
}

/** The parts that a merge key adds to a map. If several maps have a key, the first one wins. */
function mergedParts(source: YamlNode, map: YAMLMap): [string, YamlPart][] {
  const sources = Array.isArray(source.value) ? [...source.parts.values()].map(({ node }) => node) : [source];
  return sources.flatMap((node) => {
    if (!isJsonObject(node.value)) {
      throw new UnusableNodeError(map, "invalid YAML: a merge key (<<) takes a map or a list of maps");
    }
    return [...node.parts];
  });
}

/** The parser takes `1` and `"1"` for different keys, and allows several merges, of which the engine reads none or one. */
function requireNew(declared: Set<string>, key: string, { key: node }: Pair, map: YAMLMap): void {
  if (declared.has(key)) {
    throw new UnusableNodeError(
      isNode(node) ? node : map,
      `invalid YAML: ${key === "<<" ? "several << in one map: merge a list, <<: [*a, *b]" : "the key is declared twice: remove one of the two"}`,
    );
  }
  declared.add(key);
}

/** The key as JavaScript has it: a string. */
function keyOf({ key }: Pair, map: YAMLMap): string {
  if (isNode(key) && !isScalar(key)) throw new UnusableNodeError(map, "has a key that is not a string");
  const value = isScalar(key) ? key.value : key;
  if (value === "__proto__") throw new UnusableNodeError(map, protoKey);
  return String(value ?? "");
}

/** @param key as JavaScript has it. */
function misreadKeyOf(scalar: Scalar, key: string): Misread | undefined {
  const { source, type } = scalar;
  if (type !== "PLAIN" || source === undefined) return undefined;
  const [offset, engineValue] = [offsetOf(scalar), engineValueOf(scalar)];
  if (key !== source) return { offset, by: "YAML", engineValue };
  return isGoKey(source, engineValue) ? undefined : { offset, by: "engine", engineValue };
}

const halfCharacter = "invalid YAML: an escape stands for half of a character: write the whole character";
const notJson = "is a value that JSON cannot hold";

function refuseOtherTag(node: YAMLMap | YAMLSeq): void {
  if (/:(set|omap|pairs)$/.test(node.tag ?? "")) throw new UnusableNodeError(node, notJson);
}

function isJsonScalar(value: unknown): boolean {
  return value === null || typeof value === "string" || typeof value === "boolean" || Number.isFinite(value);
}

/** Whether a scalar is a number that JavaScript does not hold as it is written. */
function isInexact({ value, source }: Scalar): boolean {
  if (typeof value !== "number" || source === undefined) return false;
  if (isDecimal.test(source)) return !isExactNumber(source);
  return Number.isInteger(value) && !Number.isSafeInteger(value); // hexadecimal, octal, with underscores ...
}

const isDecimal = /^[-+]?(\d+\.?\d*|\.\d+)([eE][-+]?\d+)?$/;

/** What the Pulumi engine reads in a stack's file. */
function engineValueOf({ value, source, type, tag }: Scalar): unknown {
  const isResolved = type === "PLAIN" && (tag === undefined || tag === "!" || tag.endsWith(":int"));
  return isResolved && source !== undefined ? goScalar(source) : value;
}
