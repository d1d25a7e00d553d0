import type { YAMLParseError } from "yaml";

/**
 * What is wrong with the syntax of a YAML file, in the words of somebody who writes one, and what to do.
 *
 * @param line the text of the line with the error.
 */
export function syntaxReason({ code, message }: Pick<YAMLParseError, "code" | "message">, line: string): string {
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
