// `node scripts/docs/build-site.ts`: builds the site from the pages of the reference as they are in docs/reference.
import { dirname, join } from "node:path";
import { build } from "vitepress";
import { writeApiPages } from "./api-pages.ts";

const repository = dirname(dirname(import.meta.dirname));

/** The folder of the Markdown files, which has the site's config too. */
export const documents = join(repository, "docs");

/** Writes the pages of the TypeScript API, and builds the site into dist/site. Fails if a page links to one that is missing. */
export async function buildSite(): Promise<void> {
  await writeApiPages();
  await build(documents);
}

if (import.meta.main) await buildSite();
