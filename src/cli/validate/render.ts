import { relative } from "node:path";
import { oneLine } from "../../json/one-line.ts";
import { toJson } from "../output.ts";
import { type Place, pathIn } from "../shell.ts";
import type { ValidationResult } from "./find-problems.ts";
import type { LocatedProblem } from "./located-problem.ts";

/** For a terminal: a line for each problem, and a summary. */
export function renderText(result: ValidationResult): string {
  const lineOf = (problem: LocatedProblem, kind = "") => {
    const { file, line, column } = problem;
    return oneLine(`${file}:${line}:${column}: ${kind}${sentence(problem)}`);
  };
  const problems = result.problems.map((problem) => lineOf(problem));
  const warnings = result.warnings.map((warning) => lineOf(warning, "warning: "));
  return [...problems, ...warnings, summary(result), ""].join("\n");
}

/** For programs. `isComplete` is false if something could not be checked: then no problems do not mean that all is well. */
export function renderJson({ checked, problems, warnings, isOnline, failures }: ValidationResult): string {
  return toJson({ checked, problems, warnings, isOnline, isComplete: failures.length === 0, failures });
}

/**
 * For GitHub Actions: a workflow command for each problem, warning and failure. GitHub shows them at the lines of the pull
 * request, where the paths are relative to the repository.
 */
export function renderGithub(result: ValidationResult, place: Place): string {
  const { GITHUB_WORKSPACE: repository = "." } = place.env;
  const annotation = (level: "error" | "warning", problem: LocatedProblem) => {
    const { file, line, column } = problem;
    const path = relative(pathIn(place, repository), pathIn(place, file)).replaceAll("\\", "/");
    return `::${level} file=${escapeProperty(path)},line=${line},col=${column}::${escapeData(sentence(problem))}`;
  };
  const problems = result.problems.map((problem) => annotation("error", problem));
  const warnings = result.warnings.map((warning) => annotation("warning", warning));
  const failures = result.failures.map((failure) => `::error::${escapeData(oneLine(failure))}`);
  return [...problems, ...warnings, ...failures, summary(result), ""].join("\n");
}

function sentence({ path, message }: LocatedProblem): string {
  return path === "" ? message : `${path}: ${message}`;
}

function summary({ checked, problems, isOnline, failures }: ValidationResult): string {
  const files = oneLine(checked.join(", "));
  const count = problems.length === 1 ? "1 problem" : `${problems.length} problems`;
  if (problems.length > 0) return `${count} in ${files}.`;
  if (failures.length > 0) return `No problems were found in ${files}, but not everything could be checked.`;
  return `No problems in ${files}${isOnline ? "" : " (not compared with the platform)"}.`;
}

// The characters that GitHub's runner decodes in a workflow command.

function escapeData(text: string): string {
  return text.replaceAll("%", "%25").replaceAll("\r", "%0D").replaceAll("\n", "%0A");
}

function escapeProperty(text: string): string {
  return escapeData(text).replaceAll(":", "%3A").replaceAll(",", "%2C");
}
