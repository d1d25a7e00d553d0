import { basename, join, relative } from "node:path";
import { checkConfig } from "../../stack/check-config.ts";
import { looseTenantsConfig } from "../../stack/loose-tenants.ts";
import type { Problem } from "../../stack/problems.ts";
import { readStackFile, type StackOfFile, stackFilesIn } from "../stack-file.ts";
import type { FileToCheck } from "./files-to-check.ts";
import { type LocatedProblem, locatedProblem, sortedProblems } from "./located-problem.ts";
import { onlineProblems } from "./online-problems.ts";

export interface ValidationResult {
  /** The files that were named, relative to the working directory. */
  checked: readonly string[];
  problems: readonly LocatedProblem[];
  isOnline: boolean;
  /** Why something could not be checked. Without failures, the check is complete. */
  failures: readonly string[];
}

interface FindOptions {
  /** Whether the platform is asked too. */
  isOnline: boolean;
  warn(message: string): void;
}

/** All problems of the files, in their order. */
export async function findProblems(
  files: readonly FileToCheck[],
  { isOnline, warn }: FindOptions,
): Promise<ValidationResult> {
  const found: LocatedProblem[] = [];
  const failures: string[] = [];

  const problemsOf = async (stack: StackOfFile): Promise<readonly LocatedProblem[]> => {
    const problems: Problem[] = [...stack.problems];
    if (isOnline) {
      const online = await onlineProblems(stack, warn);
      problems.push(...online.problems);
      failures.push(...online.failures);
    }
    return problems.map((problem) => locatedProblem(problem, stack.directory));
  };

  for (const { kind, path, directory } of files) {
    if (kind === "stack") found.push(...(await problemsOf(readStackFile(path, directory))));
    else {
      const stacks = stacksThatName(path, directory);
      const inStacks = (await Promise.all(stacks.map(problemsOf))).flat();
      const isInFile = ({ file }: LocatedProblem) => file === relative("", path);
      found.push(...(stacks.length > 0 ? inStacks.filter(isInFile) : looseProblems(path, directory)));
    }
  }
  return {
    checked: [...new Set(files.map(({ path }) => relative("", path)))],
    problems: sortedProblems(found),
    isOnline,
    failures: [...new Set(failures)],
  };
}

/** The stacks in the folder with a fleet whose `tenantsFrom` names the file, or its folder. */
function stacksThatName(path: string, directory: string): StackOfFile[] {
  const named = relative(directory, path);
  return stackFilesIn(directory)
    .map((stack) => readStackFile(stack, directory))
    .filter(({ declarations }) =>
      declarations.fleets.some(({ fleet }) =>
        [fleet.entry.tenantsFrom ?? []]
          .flat()
          .some((from) => isAtOrIn(relative(directory, join(directory, from)), named)),
      ),
    );
}

function isAtOrIn(from: string, named: string): boolean {
  return from === named || relative(from, named) === basename(named);
}

/** The problems of a file of tenants that no stack names: it is checked for a fleet with any integration and builds. */
function looseProblems(path: string, directory: string): LocatedProblem[] {
  const { config, fleetPath } = looseTenantsConfig(relative(directory, path), directory);
  const { problems } = checkConfig(config, directory);
  return problems.map((problem) =>
    locatedProblem({ ...problem, path: problem.path.slice(fleetPath.length) }, directory),
  );
}
