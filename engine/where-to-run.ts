import { dirname, relative } from "node:path";
import { projectFileIn } from "../src/project/project-file.ts";

const projectRoot = dirname(import.meta.dirname);

/** Where npm was called, if that is in one of the projects of this repository (an example), else its root. */
export function whereToRun(calledFrom: string | undefined): { cwd: string; projectDirectory: string } {
  for (let directory = calledFrom; directory !== undefined && isInside(directory); directory = dirname(directory)) {
    if (projectFileIn(directory) !== undefined) return { cwd: calledFrom ?? projectRoot, projectDirectory: directory };
  }
  return { cwd: projectRoot, projectDirectory: projectRoot };
}

function isInside(directory: string): boolean {
  return !relative(projectRoot, directory).startsWith("..");
}
