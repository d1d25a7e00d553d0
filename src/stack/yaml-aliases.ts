import { type Alias, type Document, isAlias, isCollection, isMap, isPair, isScalar, type Node } from "yaml";
import { maxDepth } from "../api/index.ts";
import { protoKey, tooDeep } from "./config-limits.ts";
import { isInexact } from "./yaml-numbers.ts";

/** What the aliases of a document stand for. */
export type Aliases = ReadonlyMap<Alias, Node>;

/** Why a document cannot be taken for values, and the offset in the text. */
export interface Misfit {
  offset: number;
  reason: string;
}

/**
 * How many values aliases may stand for beyond those that are written out, of which there are so many: thousands of
 * tenants may share an anchor, and all that a value stands for is looked at, which takes a second for a million.
 */
function maxRepeatedValues(written: number): number {
  return Math.min(10_000_000, Math.max(300_000, 500 * written));
}

/**
 * Finds what the aliases of a document stand for, or why its values are of no use: few lines can stand for more values
 * than there is memory, or for ones that hold themselves, and YAML has values that JSON has not.
 */
export function resolveAliases(document: Document.Parsed): { aliases: Aliases; misfit: Misfit | undefined } {
  const aliases = new Map<Alias, Node>();
  const anchors = new Map<string, Node>();
  const sizes = new Map<Node, Size>();
  let repeatedValues = 0;

  const sizeOf = (node: Node): Size => {
    if (isAlias(node)) {
      const target = anchors.get(node.source);
      const size = target && sizes.get(target);
      if (target === undefined)
        throw new MisfitError(node, `this is no YAML: there is no anchor ${node.source} before it`);
      if (size === undefined)
        throw new MisfitError(node, `the anchor ${node.source} names something that holds itself`);
      aliases.set(node, target);
      repeatedValues += size.values;
      const maximum = maxRepeatedValues(sizes.size);
      if (repeatedValues > maximum) throw new MisfitError(node, `the aliases stand for more than ${maximum} values`);
      return size;
    }
    if (node.anchor) anchors.set(node.anchor, node);
    const inside = partsOf(node).map(sizeOf);
    const size = { values: 1, depth: 1 };
    for (const { values, depth } of inside) {
      size.values += values;
      size.depth = Math.max(size.depth, depth + 1);
    }
    if (size.depth > maxDepth) throw new MisfitError(node, tooDeep);
    const reason = reasonAgainst(node);
    if (reason !== undefined) throw new MisfitError(node, reason);
    sizes.set(node, size);
    return size;
  };

  try {
    if (document.contents !== null) sizeOf(document.contents);
    return { aliases, misfit: undefined };
  } catch (error) {
    if (error instanceof MisfitError) return { aliases, misfit: { offset: error.offset, reason: error.message } };
    throw error;
  }
}

interface Size {
  values: number;
  depth: number;
}

class MisfitError extends Error {
  readonly offset: number;

  constructor({ range }: Node, reason: string) {
    super(reason);
    this.offset = range?.[0] ?? 0;
  }
}

/** Keys and values, in the order of the text. */
function partsOf(node: Node): Node[] {
  if (!isCollection(node)) return [];
  return node.items.flatMap((item) => (isPair(item) ? [item.key, item.value] : [item])).filter(isValue);
}

/** A merge key, `<<`, is none: it is read as a symbol. */
function isValue(part: unknown): part is Node {
  return (isScalar(part) && typeof part.value !== "symbol") || isCollection(part) || isAlias(part);
}

function reasonAgainst(node: Node): string | undefined {
  if (isMap(node) && node.items.some(({ key }) => isScalar(key) && key.value === "__proto__")) {
    return protoKey;
  }
  if (isMap(node) && node.items.some(({ key }) => isCollection(key) || isAlias(key))) {
    return "has a key that is more than a text";
  }
  const isOther = isScalar(node)
    ? !isJsonScalar(node.value) && !isInexact(node)
    : /:(set|omap|pairs)$/.test(node.tag ?? "");
  return isOther ? "is a value that JSON does not have" : undefined;
}

function isJsonScalar(value: unknown): boolean {
  return value === null || typeof value === "string" || typeof value === "boolean" || Number.isFinite(value);
}
