import { existsSync, statSync } from "node:fs";
import { dirname, join, resolve } from "node:path";

/** The extensions of a project's file, in the order in which the engine looks for them. The files of its stacks have the same. */
const extensions = [".json", ".yaml", ".yml"] as const;

/** The file of the project that a folder belongs to, in this folder or the nearest one above: where the engine finds it. */
export function projectFileOf(folder: string): string | undefined {
  const directory = resolve(folder);
  const parent = dirname(directory);
  return projectFileIn(directory) ?? (parent === directory ? undefined : projectFileOf(parent));
}

/** The file of the project whose folder this is. */
export function projectFileIn(directory: string): string | undefined {
  const paths = extensions.map((extension) => join(directory, `Pulumi${extension}`));
  return paths.find((path) => existsSync(path) && statSync(path).isFile());
}
