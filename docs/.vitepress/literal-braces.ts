import type { MarkdownRenderer } from "vitepress";

/**
 * Shows `{{ }}` in text and in inline code as it is written, such as an expression of GitHub Actions. Vue would evaluate it. For
 * blocks of code, VitePress does the same.
 */
export function literalBraces(markdown: MarkdownRenderer): void {
  const { rules } = markdown.renderer;
  for (const name of ["text", "code_inline"] as const) {
    const render = rules[name];
    if (render === undefined) throw new Error(`The Markdown renderer has no rule named ${name}.`);
    rules[name] = (...args) => render(...args).replaceAll("{{", "&#123;&#123;");
  }
}
