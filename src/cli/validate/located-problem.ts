import { join } from "node:path";
import { formatPath } from "../../json/key-path.ts";
import { oneLine } from "../../json/one-line.ts";
import type { Problem } from "../../stack/config/problems.ts";
import { type Place, shownPath } from "../shell.ts";

/** A problem with its place in a file. */
export interface LocatedProblem {
  /** Relative to the working directory. */
  file: string;
  /** Both count from 1. */
  line: number;
  column: number;
  /** The setting: `tenants.acme.paused`. Empty if it is the file as a whole. */
  path: string;
  message: string;
}

/** @param directory the folder of Pulumi.yaml, which the names of files in problems are relative to. */
export function locatedProblem(place: Place, { where, path, reason }: Problem, directory: string): LocatedProblem {
  const [, name = where, line = "1", column = "1"] = /^(.*):(\d+):(\d+)$/s.exec(where) ?? [];
  return {
    file: shownPath(place, join(directory, name)),
    line: Number(line),
    column: Number(column),
    path: oneLine(formatPath(path)),
    message: oneLine(reason),
  };
}

/** The problems in the order of the files, each once: one of defaults is found for each tenant. */
export function sortedProblems(problems: readonly LocatedProblem[]): LocatedProblem[] {
  const unique = new Map(problems.map((problem) => [JSON.stringify(problem), problem]));
  const { compare } = new Intl.Collator("en", { numeric: true });
  return [...unique.values()].sort(
    (left, right) =>
      compare(left.file, right.file) ||
      left.line - right.line ||
      left.column - right.column ||
      compare(left.path, right.path) ||
      compare(left.message, right.message),
  );
}
