import { cp, mkdir, mkdtemp, realpath, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

const repository = join(import.meta.dirname, "../../..");

/** What a throw-away project runs; at most one of these, else this repository's own program. */
export interface ProjectSource {
  /** The text of a TypeScript program. */
  readonly program?: string | undefined;
  /** Name of a folder in `examples`. */
  readonly example?: string | undefined;
  /** A folder that is a project already. It becomes the throw-away project's own. */
  readonly folder?: string | undefined;
}

/** Where a throw-away project is. Real paths. */
export interface ProjectFolder {
  /** To be removed at the end. */
  readonly root: string;
  /** Where Pulumi.yaml is: the root, but for an example. */
  readonly directory: string;
}

/**
 * Makes a folder that is this repository as a clone would have it, or with `program` as its program.
 *
 * Sources are copied, not linked: a program and its provider run in the folder of `main`, whose real path has to be
 * inside the project for the stack's file to be found beside Pulumi.yaml.
 */
export async function makeProjectFolder({ program, example, folder }: ProjectSource): Promise<ProjectFolder> {
  const root = await realpath(folder ?? (await mkdtemp(join(tmpdir(), "integration-platform-test-"))));
  await mkdir(join(root, ".pulumi-state"));
  if (folder !== undefined) return { root, directory: root };
  await symlink(join(repository, "node_modules"), join(root, "node_modules"));
  for (const name of ["package.json", "src"]) {
    await cp(join(repository, name), join(root, name), { recursive: true });
  }
  if (example !== undefined) {
    const directory = join(root, "examples", example);
    await cp(join(repository, "examples", example), directory, { recursive: true });
    return { root, directory };
  }
  if (program === undefined) {
    await cp(join(repository, "Pulumi.yaml"), join(root, "Pulumi.yaml"));
  } else {
    await writeFile(join(root, "program.ts"), program);
    await writeFile(join(root, "Pulumi.yaml"), projectYaml);
  }
  return { root, directory: root };
}

const projectYaml = `name: throw-away
main: program.ts
runtime:
  name: nodejs
  options: { typescript: false }
`;
