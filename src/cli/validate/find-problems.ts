import { basename, join, relative } from "node:path";
import { checkConfig } from "../../stack/checks/check-config.ts";
import { secretForms } from "../../stack/checks/secret-forms.ts";
import { looseTenantsConfig } from "../../stack/config/loose-tenants.ts";
import { bySeverity, distinctProblems, type Problem } from "../../stack/config/problems.ts";
import type { Project } from "../../stack/yaml/project.ts";
import { readYamlFile } from "../../stack/yaml/yaml-file.ts";
import { type Place, shownPath } from "../shell.ts";
import { readStackFile, type StackOfFile, stackFilesOf } from "../stack-file.ts";
import type { FileToCheck } from "./files-to-check.ts";
import { type LocatedProblem, locatedProblem, sortedProblems } from "./located-problem.ts";
import { onlineProblems } from "./online-problems.ts";

export interface ValidationResult {
  /** The files that were named, relative to the working directory. */
  checked: readonly string[];
  problems: readonly LocatedProblem[];
  /** Values that stop no `up`, and are probably a mistake: secrets in plaintext, and choices that a tenant does not have. */
  warnings: readonly LocatedProblem[];
  isOnline: boolean;
  /** Why something could not be checked. Without failures, the check is complete. */
  failures: readonly string[];
}

type Located = Pick<ValidationResult, "problems" | "warnings">;

interface FindOptions {
  /** Whether the platform is asked too. */
  isOnline: boolean;
  warn(message: string): void;
}

/** All problems of the files, in their order. */
export async function findProblems(
  place: Place,
  files: readonly FileToCheck[],
  { isOnline, warn }: FindOptions,
): Promise<ValidationResult> {
  const found: LocatedProblem[] = [];
  const warnings: LocatedProblem[] = [];
  const failures: string[] = [];

  const findIn = async (stack: StackOfFile): Promise<Located> => {
    const problems: Problem[] = [...stack.problems];
    if (stack.stackConfig.hasUnreadKeys) {
      failures.push(
        `not everything could be checked: ${stack.name} names environments of Pulumi ESC, which this command does not read, so ` +
          "only the form of the values in the files was checked",
      );
    } else if (isOnline) {
      const online = await onlineProblems(place, stack, warn);
      problems.push(...online.problems);
      failures.push(...online.failures);
    }
    const located = (found: readonly Problem[]) =>
      found.map((problem) => locatedProblem(place, problem, stack.directory));
    const { errors, warnings } = bySeverity(problems);
    return {
      problems: located(distinctProblems(errors)),
      warnings: located([...secretForms(stack), ...distinctProblems(warnings)]),
    };
  };
  // Stacks share files of tenants, and to read thousands of them takes seconds.
  const tenantsFileOf = oncePer((path: string) => oncePer((name: string) => readYamlFile(path, name)));
  const readFile = (path: string, name: string) => tenantsFileOf(path)(name);
  const stackOf = oncePer((path: string, project: Project) => readStackFile(place, path, project, readFile));
  const problemsOf = oncePer((path: string, project: Project) => findIn(stackOf(path, project)));

  for (const { kind, path, project } of files) {
    if (kind === "stack") {
      const inStack = await problemsOf(path, project);
      found.push(...inStack.problems);
      warnings.push(...inStack.warnings);
      continue;
    }
    const { directory } = project;
    const stacks = stackFilesOf(project).filter((stack) => namesFile(stackOf(stack, project), path));
    const isInFile = ({ file }: LocatedProblem) => file === shownPath(place, path);
    for (const stack of stacks) {
      const inStack = await problemsOf(stack, project);
      found.push(...inStack.problems.filter(isInFile));
      warnings.push(...inStack.warnings.filter(isInFile));
    }
    if (stacks.length > 0) continue;
    found.push(...looseProblems(place, path, directory));
    if (isOnline)
      failures.push(
        `${shownPath(place, path)} cannot be compared with the platform: no stack in ${directory} names it`,
      );
  }
  return {
    checked: [...new Set(files.map(({ path }) => shownPath(place, path)))],
    problems: sortedProblems(found),
    warnings: sortedProblems(warnings),
    isOnline,
    failures: [...new Set(failures)],
  };
}

/** Whether the `tenantsFrom` of a fleet names a file, or the folder that it is in. */
function namesFile({ declarations, directory }: StackOfFile, path: string): boolean {
  const named = relative(directory, path);
  return declarations.fleets.some(({ fleet }) =>
    fleet.entry.tenantsFrom?.some((from) => isAtOrIn(relative(directory, join(directory, from.path)), named)),
  );
}

function isAtOrIn(from: string, named: string): boolean {
  return from === named || relative(from, named) === basename(named);
}

/** The problems of a file of tenants that no stack names: it is checked for a fleet with any integration and builds. */
function looseProblems(place: Place, path: string, directory: string): LocatedProblem[] {
  const { config, fleetPath } = looseTenantsConfig(relative(directory, path), directory);
  const { problems } = checkConfig(config, directory, { environment: place.env });
  return problems.map((problem) =>
    locatedProblem(place, { ...problem, path: problem.path.slice(fleetPath.length) }, directory),
  );
}

/** The function, which remembers what it has returned for each key. */
function oncePer<Result, More extends unknown[]>(
  work: (key: string, ...more: More) => Result,
): (key: string, ...more: More) => Result {
  const results = new Map<string, Result>();
  return (key, ...more) => {
    const result = results.get(key) ?? work(key, ...more);
    results.set(key, result);
    return result;
  };
}
