import { existsSync } from "node:fs";
import { cp, glob, mkdir, readFile, writeFile } from "node:fs/promises";
import { dirname, join, posix } from "node:path";

/** Where a reader of an installed package finds the files that are not in it. Undefined if that is not known. */
export interface SourcesOnline {
  /** `https://github.com/owner/name` */
  readonly repositoryUrl: string;
  readonly tag: string;
}

/**
 * Copies the license and the documents into a built package, without pictures. Links to files that are not in the package
 * lead to the sources online, or become plain text.
 */
export async function copyDocuments(
  repository: string,
  buildDirectory: string,
  online: SourcesOnline | undefined,
): Promise<void> {
  await cp(join(repository, "LICENSE"), join(buildDirectory, "LICENSE"));
  const names = ["README.md", "CHANGELOG.md", "SECURITY.md"];
  const ofTheSite = ["docs/reference/api/**", "docs/.vitepress/**"]; // `npm run docs` writes them
  for await (const name of glob("docs/**/*.md", { cwd: repository, exclude: ofTheSite })) names.push(name);

  const isPacked = (path: string) => names.includes(path) || existsSync(join(buildDirectory, path));
  for (const name of names) await mkdir(dirname(join(buildDirectory, name)), { recursive: true });
  for (const name of names) {
    const text = await readFile(join(repository, name), "utf8");
    await writeFile(join(buildDirectory, name), withPackedLinks({ name, text, isPacked, online }));
  }
}

export interface Document {
  /** The path of the document, relative to the package. */
  readonly name: string;
  readonly text: string;
  /** Whether the package contains this path. */
  readonly isPacked: (path: string) => boolean;
  readonly online: SourcesOnline | undefined;
}

/** The text of a document whose relative links all lead to files of the package, or to absolute addresses. */
export function withPackedLinks({ name, text, isPacked, online }: Document): string {
  return text.replace(link, (whole, image: string, label: string, target: string) => {
    const [path = "", anchor] = target.split("#");
    if (path === "" || /^[a-z]+:/.test(path)) return whole;
    const file = posix.join(posix.dirname(name), path);
    if (isPacked(file)) return whole;
    const built = /\.ts$/.test(path) && isPacked(file.replace(/\.ts$/, ".js"));
    if (built) return `[${label}](${path.replace(/\.ts$/, ".js")})`;
    if (online === undefined) return label;
    const view = image ? "raw" : "blob";
    return `${image}[${label}](${online.repositoryUrl}/${view}/${online.tag}/${file}${anchor ? `#${anchor}` : ""})`;
  });
}

const link = /(!?)\[([^[\]]*)\]\(([^()\s]+)\)/g;
