import { runCommand } from "../engine/run-command.ts";

/** What was measured. */
export interface Commit {
  /** The full hash. */
  readonly id: string;
  /** Whether files differed from the commit that can change a result. */
  readonly hasChanges: boolean;
}

/** Documents, results, and what neither a benchmark nor a chaos run loads. */
const withoutEffect = [
  ...["docs", "README.md", ".changeset", "bench/results.json"],
  ...["*.test.ts", "test/model", "test/mutation", "test/resources", "test/rollouts"],
];

/**
 * The last commit of the clone in this folder that changed what can change a result: not only documents, results, or unit
 * tests, so that a run can be continued after its first results are committed. Undefined if the folder is not a clone.
 */
export async function readCommit(folder: string): Promise<Commit | undefined> {
  const measured = ["--", ":/", ...withoutEffect.map((path) => `:(top,exclude)${path}`)];
  const id = await git(folder, ["log", "-1", "--format=%H", "HEAD", ...measured]);
  if (id === undefined) return undefined;
  return { id: id.trim(), hasChanges: (await git(folder, ["status", "--porcelain", ...measured])) !== "" };
}

/**
 * Why a run cannot be continued on the commit of the clone now. Undefined if it can.
 *
 * @param did what the run did with its commit.
 */
export function whyNotContinued(
  did: "measured" | "tested",
  before: Commit | undefined,
  now: Commit | undefined,
): string | undefined {
  if (before === undefined) return "its commit is unknown";
  if (now === undefined) return "the commit of this folder is unknown";
  if (before.hasChanges) return `it ${did} changes that are in no commit`;
  if (now.hasChanges) return "the clone has changes that are not in its commit";
  return before.id === now.id ? undefined : `it ${did} commit ${before.id}, and the clone is at ${now.id}`;
}

async function git(folder: string, args: readonly string[]): Promise<string | undefined> {
  const { code, stdout } = await runCommand("git", ["-C", folder, ...args], { timeLimitSeconds: 60 });
  return code === 0 ? stdout : undefined;
}
