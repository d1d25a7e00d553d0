import { basename, dirname, extname, join, relative, resolve } from "node:path";
import { projectFileOf } from "../../project/project-file.ts";
import { readYamlFile, type YamlFile } from "./yaml-file.ts";

/** A Pulumi project, and where the files of its stacks are. */
export interface Project {
  /** The folder of Pulumi.yaml, to which the paths in stacks' files and the names of files in messages are relative. */
  readonly directory: string;
  /** Pulumi.yaml; `undefined` if there is none in the folder or above it. */
  readonly file: YamlFile | undefined;
  /** Its name, which is also a config namespace. `undefined` if Pulumi.yaml does not say it. */
  readonly name: string | undefined;
  /** The folder of the stacks' files. */
  readonly stacksDirectory: string;
  /** What the names of the stacks' files end with. */
  readonly extension: string;
}

/** The project that a folder belongs to. Without a Pulumi.yaml, the stacks' files are in the folder itself. */
export function projectOf(folder: string): Project {
  const path = projectFileOf(folder);
  const directory = path === undefined ? resolve(folder) : dirname(path);
  const file = path === undefined ? undefined : readYamlFile(path, basename(path), "engine");
  return {
    directory,
    file,
    name: stringIn(file, "name"),
    // `config` is the former name of stackConfigDir
    stacksDirectory: join(directory, stringIn(file, "stackConfigDir") ?? stringIn(file, "config") ?? ""),
    extension: path === undefined ? ".yaml" : extname(path),
  };
}

/** The path of a stack's file. The stack may be named with its organization and its project: `acme-org/billing/production`. */
export function stackFilePath({ stacksDirectory, extension }: Project, stack: string): string {
  return join(stacksDirectory, `Pulumi.${basename(stack)}${extension}`);
}

/** The name of a file in messages: `Pulumi.sandbox.yaml`. */
export function nameInProject({ directory }: Project, path: string): string {
  return relative(directory, resolve(path));
}

function stringIn(file: YamlFile | undefined, key: string): string | undefined {
  const value = file?.root?.node.parts.get(key)?.node.value;
  return typeof value === "string" ? value : undefined;
}
