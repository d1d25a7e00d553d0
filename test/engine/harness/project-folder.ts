import { cp, mkdir, mkdtemp, readdir, readFile, realpath, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type ProviderName, programOn, providerUnderTest } from "./provider-under-test.ts";

const repository = join(import.meta.dirname, "../../..");

/** The program of a temporary project: at most one of these. Default: this repository's program. */
export interface ProjectSource {
  /** The source of a TypeScript program. */
  readonly program?: string | undefined;
  /** The name of a folder in `examples`. */
  readonly example?: string | undefined;
  /** An existing project's folder, which becomes the temporary project's folder. */
  readonly folder?: string | undefined;
  /**
   * Whether the project has a copy of `src`, from which it also runs this repository's program. One that brings up a receiver
   * writes the functions' bundles beside the sources; a measurement of a first start must find nothing compiled. Default false:
   * links, so that what Node.js has compiled for one project serves the next.
   */
  readonly hasOwnSources?: boolean | undefined;
  /** The provider that hosts the resources. Default: {@link providerUnderTest}. */
  readonly provider?: ProviderName | undefined;
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
 * The programs are always copies: a program and its provider run in the folder of `main`, and the real path of this folder
 * has to be inside the project, or the program does not find the stack's file beside Pulumi.yaml. This repository's
 * program.mjs runs this repository's sources even so.
 */
export async function makeProjectFolder({
  program,
  example,
  folder,
  hasOwnSources = false,
  provider = providerUnderTest,
}: ProjectSource): Promise<ProjectFolder> {
  const root = await realpath(folder ?? (await mkdtemp(join(tmpdir(), "integration-platform-test-"))));
  await mkdir(join(root, ".pulumi-state"));
  if (folder !== undefined) return { root, directory: root };
  await symlink(join(repository, "node_modules"), join(root, "node_modules"));
  await cp(join(repository, "package.json"), join(root, "package.json"));
  if (hasOwnSources) await cp(join(repository, "src"), join(root, "src"), { recursive: true });
  else await linkSources(join(root, "src"));
  if (example !== undefined) {
    const directory = join(root, "examples", example);
    await cp(join(repository, "examples", example), directory, { recursive: true });
    for (const name of (await readdir(directory)).filter((file) => file.endsWith(".ts"))) {
      await writeFile(join(directory, name), programOn(provider, await readFile(join(directory, name), "utf8")));
    }
    return { root, directory };
  }
  if (program === undefined) {
    await symlink(join(repository, "engine"), join(root, "engine")); // Pulumi.yaml names the provider plugin in it
    await cp(join(repository, "program.mjs"), join(root, "program.mjs"));
    const yaml = await readFile(join(repository, "Pulumi.yaml"), "utf8");
    await writeFile(join(root, "Pulumi.yaml"), hasOwnSources ? yaml.replace("program.mjs", "src/program.ts") : yaml);
  } else {
    await writeFile(join(root, "program.ts"), programOn(provider, program));
    await writeFile(join(root, "Pulumi.yaml"), projectYaml);
  }
  return { root, directory: root };
}

async function linkSources(folder: string): Promise<void> {
  await mkdir(folder);
  for (const name of await readdir(join(repository, "src"))) {
    const original = join(repository, "src", name);
    await (name === "program.ts" ? cp(original, join(folder, name)) : symlink(original, join(folder, name)));
  }
}

const projectYaml = `name: throw-away
main: program.ts
runtime:
  name: nodejs
  options: { typescript: false }
plugins:
  providers:
    - name: integration-platform
      path: ${join(repository, "engine/plugin")}
`;
