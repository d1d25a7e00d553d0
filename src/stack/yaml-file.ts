import { readFileSync } from "node:fs";
import { LineCounter, parseDocument } from "yaml";
import { tooDeep } from "../json/depth.ts";
import type { KeyPath } from "../json/key-path.ts";
import { treeOf, UnusableNodeError, type YamlPart } from "./yaml-tree.ts";

/** A YAML file as a tree. */
export interface YamlFile {
  /** The whole file; `undefined` if the file is empty or has problems. */
  readonly root: YamlPart | undefined;
  /** Why the file cannot be used. */
  readonly problems: readonly { where: string; reason: string }[];
  /** The numbers that JavaScript cannot hold as they are written: 9007199254740993, 1e400. */
  readonly inexactNumbers: readonly { path: KeyPath; where: string }[];
  /** An offset as `tenants/billing.yaml:8:20`. */
  positionOf(offset: number): string;
}

/** The message for {@link YamlFile.inexactNumbers}. It does not show the number, because configs may be secret. */
export const inexactNumber =
  "is a number that JavaScript cannot hold: another number would be sent in its place. " +
  "Write one that a double can hold, or a string if the platform accepts one";

/**
 * Reads and parses a file. It does not throw: problems are part of the result.
 *
 * @param name the name of the file in messages.
 */
export function readYamlFile(path: string, name: string): YamlFile {
  const lines = new LineCounter();
  const positionOf = (offset: number) => {
    const { line, col } = lines.linePos(offset);
    return `${name}:${Math.max(line, 1)}:${Math.max(col, 1)}`;
  };
  const refused = (...problems: { offset: number; reason: string }[]): YamlFile => ({
    root: undefined,
    problems: problems.map(({ offset, reason }) => ({ where: positionOf(offset), reason })),
    inexactNumbers: [],
    positionOf,
  });
  let text: string;
  try {
    text = readFileSync(path, "utf8");
  } catch (error) {
    return refused({ offset: 0, reason: `cannot be read: ${String(error)}` });
  }
  try {
    const document = parseDocument(text, { lineCounter: lines, merge: true, prettyErrors: false });
    const errors = document.errors.map(({ pos: [offset], message }) => ({ offset, message }));
    const overflow = errors.find(({ message }) => message.includes("call stack"));
    if (overflow !== undefined) return refused({ offset: overflow.offset, reason: tooDeep });
    if (errors.length > 0) {
      return refused(...errors.map(({ offset, message }) => ({ offset, reason: `invalid YAML: ${message}` })));
    }
    const { root, inexactNumbers } = treeOf(document);
    const located = inexactNumbers.map(({ path, offset }) => ({ path, where: positionOf(offset) }));
    return { root, problems: [], inexactNumbers: located, positionOf };
  } catch (error) {
    if (error instanceof UnusableNodeError) return refused({ offset: error.offset, reason: error.message });
    // The parser, and this code, recurse as deep as the text is nested.
    if (error instanceof RangeError) return refused({ offset: 0, reason: tooDeep });
    throw error;
  }
}
