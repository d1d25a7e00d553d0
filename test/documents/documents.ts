import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";

export const repository = join(import.meta.dirname, "../..");

/** The Markdown files for readers, by their paths. TypeDoc's pages are missing, because only a build of the site writes them. */
export const documents: readonly string[] = globSync(
  ["README.md", "CONTRIBUTING.md", "SECURITY.md", "CHANGELOG.md", "docs/**/*.md", "examples/**/README.md"],
  { cwd: repository, exclude: ["docs/reference/api/**", "**/node_modules/**"] },
).toSorted();

/** A block of code in a document. */
export interface CodeBlock {
  readonly document: string;
  /** The line of the document in which the code begins, counted from 1. */
  readonly line: number;
  readonly text: string;
}

/** The blocks of a language in all documents. Those that are marked as a part of a file are not among them: "```ts fragment". */
export function codeBlocks(language: string): CodeBlock[] {
  return documents.flatMap((document) => {
    const page = readFileSync(join(repository, document), "utf8");
    const blocks = [...page.matchAll(/^( *)```([^\n]*)\n(.*?)^\1``` *$/gms)];
    return blocks.flatMap(({ index, 1: indent = "", 2: info, 3: text = "" }) => {
      const line = page.slice(0, index).split("\n").length + 1;
      return info === language ? [{ document, line, text: text.replaceAll(new RegExp(`^${indent}`, "gm"), "") }] : [];
    });
  });
}
