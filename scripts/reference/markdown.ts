import { slug } from "github-slugger";

/** A page of the reference. */
export function page(title: string, ...blocks: readonly string[]): string {
  return `<!-- Written by npm run reference. -->\n\n${section(1, title, ...blocks)}\n`;
}

/** A heading with what is below it. */
export function section(level: number, title: string, ...blocks: readonly string[]): string {
  return joined(`${"#".repeat(level)} ${title}`, ...blocks);
}

/** Blocks with an empty line between them. Empty blocks are left out. */
export function joined(...blocks: readonly string[]): string {
  return blocks.filter((block) => block !== "").join("\n\n");
}

/** The address of a heading on its page, the same on GitHub and on the site. */
export function anchor(title: string): string {
  return `#${slug(title.replaceAll("`", ""))}`;
}

/** A table without its empty columns. Without rows it is empty. */
export function table(header: readonly string[], rows: readonly (readonly string[])[]): string {
  if (rows.length === 0) return "";
  const shown = header.flatMap((_, at) => (rows.some((row) => row[at] !== "") ? [at] : []));
  const line = (cells: readonly string[]) => `| ${shown.map((at) => cell(cells[at] ?? "")).join(" | ")} |`;
  return [line(header), line(header.map(() => "---")), ...rows.map(line)].join("\n");
}

/** A code span. */
export function code(text: string): string {
  return text.includes("`") ? `\`\` ${text} \`\`` : `\`${text}\``;
}

/** @param language with a second word for a block that is no complete file: `yaml fragment`. */
export function codeBlock(language: string, text: string): string {
  return `\`\`\`${language}\n${text.trimEnd()}\n\`\`\``;
}

/**
 * A description as Markdown that GitHub and VitePress show as it is written: outside of code spans, `<` begins no HTML, braces no
 * expression of Vue and `*` no emphasis. Paths of documents become links.
 */
export function prose(text: string): string {
  return outsideOfCode(text, (part) =>
    part
      .replaceAll("<", "&lt;")
      .replaceAll("{{", "&#123;&#123;")
      .replaceAll("*", "\\*")
      .replace(/\bdocs\/([\w/-]+\.md)\b/g, "[docs/$1](../$1)"),
  );
}

/** `a`, `a or b`, `a, b or c`. */
export function alternatives(values: readonly string[]): string {
  return new Intl.ListFormat("en-GB", { type: "disjunction" }).format(values);
}

function outsideOfCode(text: string, change: (part: string) => string): string {
  const parts = text.split(/(`[^`]*`)/); // code spans are at the odd indices
  return parts.map((part, at) => (at % 2 === 0 ? change(part) : part)).join("");
}

/** A cell is one line. A `|` ends it, in code spans too. */
function cell(text: string): string {
  return text.replace(/\n+- /g, "<br>• ").replace(/\n+/g, "<br>").replaceAll("|", "\\|");
}
