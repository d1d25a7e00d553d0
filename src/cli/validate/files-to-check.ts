import { existsSync, statSync } from "node:fs";
import { basename, dirname } from "node:path";
import { type Project, projectOf } from "../../stack/yaml/project.ts";
import { type Place, pathIn, shownPath } from "../shell.ts";
import type { StackChoice } from "../stack-choice.ts";
import { isStackFile, placeOfStacks, projectOfChoice, stackFile, stackFilesOf } from "../stack-file.ts";
import { CommandError } from "../subcommand.ts";

/** A file to check, and where it is from. */
export interface FileToCheck {
  kind: "stack" | "tenants";
  path: string;
  project: Project;
}

/**
 * The files that a command line names: those of a stack, those that are listed, or those of all stacks of the project.
 *
 * @throws CommandError if a file does not exist, or there is none.
 */
export function filesToCheck(place: Place, options: StackChoice & { files: readonly string[] }): FileToCheck[] {
  const { stack, files } = options;
  const cwd = pathIn(place, options.cwd ?? "");
  if (!isFolder(cwd)) throw new CommandError(`there is no folder ${cwd}`);
  const project = projectOfChoice(place, options);
  if (files.length > 0) return files.map((file) => listedFile(place, file, project));
  if (stack !== undefined) return [{ kind: "stack", path: stackFile(project, stack), project }];
  const stacks = stackFilesOf(project);
  if (stacks.length === 0) {
    throw new CommandError(
      `there is no stack's file (Pulumi.<stack>${project.extension}) in ${placeOfStacks(project)}: name a folder with --cwd`,
    );
  }
  return stacks.map((path) => ({ kind: "stack", path, project }));
}

function listedFile(place: Place, file: string, project: Project): FileToCheck {
  const path = pathIn(place, file);
  if (!existsSync(path)) throw new CommandError(`there is no file ${file}`);
  if (isFolder(path)) throw new CommandError(`${file} is a folder: name files, or a folder of a project with --cwd`);
  const name = basename(path);
  if (isStackFile(name)) {
    const isOfProject = stackFilesOf(project).includes(path);
    return { kind: "stack", path, project: isOfProject ? project : projectOf(dirname(path)) };
  }
  if (/^Pulumi\.(ya?ml|json)$/.test(name)) {
    throw new CommandError(`${shownPath(place, path)} is the file of the project: name the files of its stacks`);
  }
  return { kind: "tenants", path, project };
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}
