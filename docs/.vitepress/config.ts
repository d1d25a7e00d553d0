import { slug } from "github-slugger";
import { defineConfig } from "vitepress";
import { home } from "./home.ts";
import { literalBraces } from "./literal-braces.ts";
import { repositoryLinks } from "./repository-links.ts";
import { repositoryUrl } from "./repository-url.ts";
import { sidebar } from "./sidebar.ts";

/** The path of the site on its host, with a slash at both ends. On GitHub Pages, this is the name of the repository. */
const base = process.env.SITE_BASE ?? "/";

// `npm run docs` builds the site. Every Markdown file of docs/ is a page of it.
export default defineConfig({
  title: "pulumi-integration-platform",
  description: "Pulumi resources for the tenants of an embedded integration platform.",
  base,
  outDir: "../dist/site",
  cacheDir: "../node_modules/.cache/vitepress",
  head: [["link", { rel: "icon", type: "image/svg+xml", href: `${base}favicon.svg` }]],
  markdown: {
    anchor: { slugify: slug }, // a link to a heading leads to the same place on GitHub and on the site
    attrs: { disable: true }, // GitHub does not know {#id} either, and shows it
    config: (markdown) => {
      repositoryLinks(markdown, repositoryUrl);
      literalBraces(markdown);
    },
  },
  transformPageData: ({ relativePath, frontmatter }) => {
    if (relativePath === "index.md") return { frontmatter: { ...frontmatter, ...home } };
    // Pages that are generated are not edited.
    if (relativePath.startsWith("reference/")) return { frontmatter: { ...frontmatter, editLink: false } };
    return undefined;
  },
  themeConfig: {
    nav: [
      { text: "Your first stack", link: "/guides/first-stack" },
      { text: "Reference", link: "/reference/" },
      { text: "Troubleshooting", link: "/troubleshooting" },
    ],
    sidebar: sidebar(),
    outline: [2, 3],
    search: { provider: "local" },
    socialLinks: [{ icon: "github", link: repositoryUrl }],
    editLink: { pattern: `${repositoryUrl}/edit/main/docs/:path`, text: "Edit this page" },
  },
});
