import { readCommit } from "../../bench/commit.ts";
import { runMain } from "../command-line.ts";
import { type Plan, parseCommandLine, usage } from "./command-line.ts";
import { lineOf, summaryOf } from "./report.ts";
import { runRounds } from "./run-rounds.ts";
import { continuedRun, missingRounds, readRun, type SavedRun, writeRun } from "./saved-run.ts";

// The chaos suite from the command line; see `usage`.

async function main(): Promise<void> {
  const request = parseCommandLine(process.argv.slice(2));
  if (request.command === "help") return console.log(usage);
  const { parallel, report } = request;
  const commit = await readCommit(import.meta.dirname);
  if (commit?.hasChanges && report !== undefined)
    console.error("The clone has changes that are in no commit: --continue will refuse the report.");
  const run =
    request.command === "continue"
      ? continuedRun(readRun(request.report), commit, new Date())
      : { plan: planOf(request.plan), commit, startedAt: new Date().toISOString(), continuedAt: [], rounds: [] };
  await play(run, parallel, report);
}

async function play(run: SavedRun, parallel: number, path: string | undefined): Promise<void> {
  const rounds = [...run.rounds];
  const save = async () => {
    if (path !== undefined) await writeRun(path, { ...run, rounds });
  };
  await save();
  let saved = Promise.resolve();
  const signal = endOnSignal();
  await runRounds({
    rounds: missingRounds(run),
    tenants: run.plan.tenants,
    checkpoints: run.plan.checkpoints,
    parallel,
    signal,
    onReport: async (round, keptFolder) => {
      rounds.push(round);
      console.log(lineOf(round));
      if (keptFolder !== undefined)
        console.log(`  kept: ${keptFolder}; again: --provider ${round.provider} --seed ${round.seed} --rounds 1`);
      // after each round, so that a killed run keeps its results; one after the other, as rounds end at the same time
      saved = saved.then(save);
      await saved;
    },
  });
  await saved;
  console.log(JSON.stringify(summaryOf(rounds), undefined, 2));
  if (rounds.some(({ violations }) => violations.length > 0)) process.exitCode = 1;
  if (!signal.aborted) return;
  process.exitCode = 130;
  console.error(
    path === undefined ? "Interrupted." : `Interrupted. The rest: npm run test:chaos -- --continue ${path}`,
  );
}

/** The plan in the form of the report. */
function planOf({ seeds, providers, ...others }: Plan): SavedRun["plan"] {
  return { seeds: [...seeds], providers: [...providers], ...others };
}

/** Aborted by the first SIGINT or SIGTERM. A second one ends the process. */
function endOnSignal(): AbortSignal {
  const ending = new AbortController();
  for (const name of ["SIGINT", "SIGTERM"] as const) process.once(name, () => ending.abort());
  return ending.signal;
}

await runMain(main);
