import { posix } from "node:path";
import type { MarkdownEnv, MarkdownRenderer } from "vitepress";

/** Makes links of documents to files that are no page of the site, such as sources, lead to the repository. */
export function repositoryLinks(markdown: MarkdownRenderer, repositoryUrl: string): void {
  markdown.core.ruler.push("repository-links", (state) => {
    // Titles of boxes are rendered without the path of their page.
    const { relativePath = "" }: Partial<MarkdownEnv> = state.env;
    for (const token of state.tokens.flatMap(({ children }) => children ?? [])) {
      const href = token.type === "link_open" ? token.attrGet("href") : null;
      if (href !== null) token.attrSet("href", linkOnSite(href, relativePath, repositoryUrl));
    }
  });
}

/**
 * Where a link of a page leads on the site.
 *
 * @param href the link as the document has it.
 * @param page the path of the document in `docs`.
 */
export function linkOnSite(href: string, page: string, repositoryUrl: string): string {
  if (/^([a-z][a-z\d+.-]*:|\/|#)/i.test(href)) return href;
  const [path = "", anchor] = href.split("#");
  const file = posix.join("docs", posix.dirname(page), path);
  const isPage = file.startsWith("docs/") && file.endsWith(".md");
  return isPage ? href : `${repositoryUrl}/blob/main/${file}${anchor === undefined ? "" : `#${anchor}`}`;
}
