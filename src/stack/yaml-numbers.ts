import { type Document, isPair, isScalar, isSeq, type Scalar, visit } from "yaml";
import { isExactNumber } from "../api/index.ts";
import type { KeyPath } from "./yaml-file.ts";

/** Why {@link inexactNumbers} cannot be declared. The number itself may not be told: configs may be secret. */
export const inexactNumber =
  "is a number that JavaScript cannot hold: another would be sent in its place. " +
  "Write one that a double holds, or a string where the platform takes one";

/** The numbers of a document, keys included, that would be sent as other numbers: 9007199254740993, 1e400. */
export function inexactNumbers(document: Document.Parsed): { path: KeyPath; offset: number }[] {
  const found: { path: KeyPath; offset: number }[] = [];
  visit(document, {
    Scalar: (_, node, ancestors) => {
      if (!isInexact(node)) return;
      found.push({ path: pathOf([...ancestors, node]), offset: node.range?.[0] ?? 0 });
    },
  });
  return found;
}

/** Whether a scalar is a number that JavaScript does not hold as it is written. */
export function isInexact({ value, source }: Scalar): boolean {
  if (typeof value !== "number" || source === undefined) return false;
  if (isDecimal.test(source)) return !isExactNumber(source);
  return Number.isInteger(value) && !Number.isSafeInteger(value); // hexadecimal, octal, with underscores ...
}

const isDecimal = /^[-+]?(\d+\.?\d*|\.\d+)([eE][-+]?\d+)?$/;

function pathOf(nodes: readonly unknown[]): KeyPath {
  return nodes.flatMap((node, index): PropertyKey[] => {
    if (isPair(node)) return [isScalar(node.key) ? String(node.key.value) : String(node.key)];
    const inside = nodes[index + 1];
    return isSeq(node) ? [node.items.indexOf(inside)] : [];
  });
}
