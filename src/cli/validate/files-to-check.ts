import { existsSync, statSync } from "node:fs";
import { basename, dirname, relative, resolve } from "node:path";
import { isStackFile, stackFile, stackFilesIn } from "../stack-file.ts";
import { CommandError } from "../subcommand.ts";

/** A file to check, and where it is from. */
export interface FileToCheck {
  kind: "stack" | "tenants";
  path: string;
  /** The folder of Pulumi.yaml. */
  directory: string;
}

/**
 * The files that a command line names: those of a stack, those that are listed, or those of all stacks in the folder.
 *
 * @throws CommandError if a file does not exist, or there is none.
 */
export function filesToCheck(options: {
  directory: string;
  stack: string | undefined;
  files: readonly string[];
}): FileToCheck[] {
  const { directory, stack, files } = options;
  if (!isFolder(directory)) throw new CommandError(`there is no folder ${directory}`);
  if (stack !== undefined) return [stackToCheck(stackFile(directory, stack))];
  if (files.length > 0) return files.map((file) => listedFile(file, directory));
  const stacks = stackFilesIn(directory);
  if (stacks.length === 0) {
    throw new CommandError(`there is no stack's file (Pulumi.<stack>.yaml) in ${directory}: name a folder with --cwd`);
  }
  return stacks.map(stackToCheck);
}

function stackToCheck(path: string): FileToCheck {
  return { kind: "stack", path, directory: dirname(path) };
}

function listedFile(file: string, directory: string): FileToCheck {
  const path = resolve(file);
  if (!existsSync(path)) throw new CommandError(`there is no file ${file}`);
  if (isFolder(path)) throw new CommandError(`${file} is a folder: name files, or a folder of a project with --cwd`);
  const name = basename(path);
  if (isStackFile(name)) return stackToCheck(path);
  if (/^Pulumi\.ya?ml$/.test(name)) {
    throw new CommandError(`${relative("", path)} is the file of the project: name the files of its stacks`);
  }
  return { kind: "tenants", path, directory };
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}
