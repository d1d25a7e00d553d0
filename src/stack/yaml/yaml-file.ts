import { readFileSync } from "node:fs";
import { LineCounter, parseDocument, type YAMLParseError } from "yaml";
import { tooDeep } from "../../json/depth.ts";
import { type DecodedText, decodeUtf8 } from "../../json/utf8.ts";
import { unlikeInEngine } from "./engine-text.ts";
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

/**
 * What is wrong with the syntax of a YAML file, in the words of somebody who writes one, and what to do.
 *
 * @param line the text of the line with the error.
 */
function syntaxReason({ code, message }: Pick<YAMLParseError, "code" | "message">, line: string): string {
  if (/^(<{7}|={7}|>{7}|\|{7})/.test(line)) return "this is a marker of a merge conflict: resolve the conflict";
  if (/(^|[:[{,-]\s+)\*/.test(line) && (code === "BAD_ALIAS" || code === "UNEXPECTED_TOKEN")) {
    return 'a value that begins with * is a reference: write it in quotes, such as "*/6 * * * *"';
  }
  switch (code) {
    case "TAB_AS_INDENT":
      return "the line is indented with a tab: use spaces";
    case "DUPLICATE_KEY":
      return "the key is declared twice: remove one of the two";
    case "BLOCK_AS_IMPLICIT_KEY":
      return /:\s.*:\s/.test(line)
        ? colonInValue
        : "the next line is indented deeper than this one, which has a value: align the two";
    case "BLOCK_IN_FLOW":
      return `a comma or a brace is missing, or ${colonInValue}`;
    case "BAD_INDENT":
      return /^Flow (map|seq)/.test(message)
        ? `a ${/end with a }/.test(message) ? "{" : "["} above is not closed`
        : "the keys of one object must begin in the same column: correct the indentation";
    case "MULTILINE_IMPLICIT_KEY":
      return /:(\s|$)/.test(line) || !line.includes(":")
        ? "the line is no key with a value: write key: value"
        : "a colon must be followed by a space";
    case "MISSING_CHAR":
      return /quote$/.test(message) ? `a string is not closed: a ${/"/.test(message) ? '"' : "'"} is missing` : message;
    case "BAD_SCALAR_START":
      return `a value must not begin with ${message.at(-1)}: write it in quotes`;
    case "MULTIPLE_DOCS":
      return "the file has several documents: remove the line ---";
    default:
      return message;
  }
}

const colonInValue = 'a value that contains ": " is not in quotes';
