import { readFileSync } from "node:fs";
import { LineCounter, parseDocument, type YAMLParseError } from "yaml";
import { tooDeep } from "../../json/depth.ts";
import { type DecodedText, decodeUtf8 } from "../../json/utf8.ts";
import { unlikeInEngine } from "./engine-text.ts";
import { syntaxReason } from "./yaml-syntax.ts";
import { treeOf, UnusableNodeError, type YamlPart } from "./yaml-tree.ts";

/** A YAML file as a tree. */
export interface YamlFile {
  /** The whole file; `undefined` if the file is empty or has problems. */
  readonly root: YamlPart | undefined;
  /** Why the file cannot be used. */
  readonly problems: readonly { where: string; reason: string }[];
  /** Characters that the Pulumi engine reads otherwise, or not at all. Empty for a file that the engine does not read. */
  readonly unlikeInEngine: readonly { where: string; reason: string }[];
  /** An offset as `tenants/billing.yaml:8:20`. */
  positionOf(offset: number): string;
}

/**
 * Reads and parses a file. It does not throw: problems are part of the result.
 *
 * @param name the name of the file in messages.
 * @param reader who reads the file too: the Pulumi engine reads Pulumi.yaml and the files of stacks.
 */
export function readYamlFile(path: string, name: string, reader?: "engine"): YamlFile {
  const lines = new LineCounter();
  const positionOf = (offset: number) => {
    const { line, col } = lines.linePos(offset);
    return `${name}:${Math.max(line, 1)}:${Math.max(col, 1)}`;
  };
  const refused = (...problems: { offset: number; reason: string }[]): YamlFile => ({
    root: undefined,
    problems: problems.map(({ offset, reason }) => ({ where: positionOf(offset), reason })),
    unlikeInEngine: [],
    positionOf,
  });
  let decoded: DecodedText;
  try {
    decoded = decodeUtf8(readFileSync(path));
  } catch (error) {
    return refused({ offset: 0, reason: `cannot be read: ${String(error)}` });
  }
  if ("problem" in decoded) {
    const where = `${name}:${decoded.line}:${decoded.column}`;
    return {
      root: undefined,
      problems: [{ where, reason: decoded.problem }],
      unlikeInEngine: [],
      positionOf,
    };
  }
  const text = decoded.text.replace(/^\uFEFF/, ""); // a byte order mark is no column
  try {
    const document = parseDocument(text, { lineCounter: lines, merge: true, prettyErrors: false });
    const overflow = document.errors.find(({ message }) => message.includes("call stack"));
    if (overflow !== undefined) return refused({ offset: overflow.pos[0], reason: tooDeep });
    if (document.errors.length > 0) {
      const causes = withoutConsequences(document.errors);
      const texts = text.split("\n");
      return refused(
        ...causes.map((error) => {
          const [offset] = error.pos;
          const reason = syntaxReason(error, texts[lines.linePos(offset).line - 1] ?? "");
          return { offset, reason: `invalid YAML: ${reason}` };
        }),
      );
    }
    const unlike = reader === undefined ? [] : unlikeInEngine(text, document);
    const located = unlike.map(({ offset, reason }) => ({ where: positionOf(offset), reason }));
    return { root: treeOf(document), problems: [], unlikeInEngine: located, positionOf };
  } catch (error) {
    if (error instanceof UnusableNodeError) return refused({ offset: error.offset, reason: error.message });
    // The parser, and this code, recurse as deep as the text is nested.
    if (error instanceof RangeError) return refused({ offset: 0, reason: tooDeep });
    throw error;
  }
}

/** The errors without those that follow from the first one. A key that is declared twice has no consequences. */
function withoutConsequences(errors: readonly YAMLParseError[]): YAMLParseError[] {
  const isDuplicate = ({ code }: YAMLParseError) => code === "DUPLICATE_KEY";
  const first = errors.find((error) => !isDuplicate(error));
  return errors.filter((error) => error === first || isDuplicate(error));
}
