// `npm run bench`: compares ways to manage many tenants, on the real engines and a platform in another process. See `usage`
// and docs/performance.md. Compare ratios, not seconds.
//
// The words of this folder:
// - contender: a way to manage tenants, such as `fleet` or `terraform`. A contestant is a contender, opened for one turn.
// - entrant: a contender with the backend that stores its state, and with the engine's log on or off.
// - group: the entrants that are compared at one size (a number of tenants) and one latency. A plan is a list of groups.
// - round: every entrant of a group takes one turn.
// - turn: an entrant runs all steps once, at the size and the latency of its group, on a new platform.
// - step: one timed command, such as `create`. A stage is what the steps of a turn work on: platform, contestant and tenants.
// - course: the results of one entrant at one size and latency, from all rounds of a run.
// - run: a plan that is measured, with all continuations after interruptions. `bench/results.json` stores runs and courses.
import { isDeepStrictEqual } from "node:util";
import { messageOf } from "../src/cli/output.ts";
import { parseCommandLine, usage } from "./command-line.ts";
import { readCommit } from "./commit.ts";
import { entrantName } from "./entrants.ts";
import { readEnvironment } from "./environment.ts";
import { measure } from "./measure.ts";
import { measurePlan } from "./measure-plan.ts";
import type { Plan } from "./plans.ts";
import { writeReport } from "./report/write-report.ts";
import { keepResults, type Run, readResults } from "./results.ts";
import { runToContinue } from "./run-to-continue.ts";
import { summaryOf, summaryOfRun } from "./summary.ts";

const ending = endOnSignal();
try {
  const request = parseCommandLine(process.argv.slice(2));
  if (request.command === "help") console.log(usage);
  else if (request.command === "continue") await continueRun();
  else await startRun(request.plan, request.args);
} catch (error) {
  if (ending.aborted)
    console.error(
      "The benchmark was interrupted. bench/results.json has the results so far; --continue takes the rest.",
    );
  else console.error(messageOf(error));
  process.exitCode ||= 1;
}

async function startRun(plan: Plan, args: readonly string[]): Promise<void> {
  const commit = await readCommit(import.meta.dirname);
  if (commit?.hasChanges) console.error("The clone has changes that are not in its commit: the results will say so.");
  const environment = await readEnvironment(plan);
  await run(new Date().toISOString(), plan, { ...environment, commit, arguments: [...args], continuedAt: [] });
}

async function continueRun(): Promise<void> {
  const { runStartedAt, run: before } = runToContinue(readResults(), await readCommit(import.meta.dirname));
  const request = parseCommandLine(before.arguments);
  if (request.command !== "measure") throw new Error(`the run of ${runStartedAt} has no plan`);
  const { machine, versions, settings } = await readEnvironment(request.plan);
  if (!isDeepStrictEqual({ machine, versions, settings }, environmentOf(before)))
    throw new Error(`the machine, a version or a setting is not as in the run of ${runStartedAt}: start another run`);
  await run(runStartedAt, request.plan, { ...before, continuedAt: [...before.continuedAt, new Date().toISOString()] });
}

async function run(runStartedAt: string, plan: Plan, record: Run): Promise<void> {
  const start = performance.now();
  const courses = await measurePlan(plan, {
    runStartedAt,
    before: readResults().courses.filter((course) => course.runStartedAt === runStartedAt),
    measure: (turn, round) => {
      console.error(`${turn.size} tenants, ${turn.latencyMilliseconds} ms, round ${round}: ${entrantName(turn)}`);
      return measure(turn, ending);
    },
    onFailure: (turn, error) => {
      if (ending.aborted) throw error;
      console.error(`${entrantName(turn)} failed, so it takes no further turns at this size: ${messageOf(error)}`);
      process.exitCode = 1;
    },
    keep: (measured) => keepResults(record, measured),
    onGroup: ({ size, latencyMilliseconds, rounds, skipped = "" }, ofGroup) => {
      const legend = `${size} tenants, ${latencyMilliseconds} ms of latency; median of ${rounds} (spread)`;
      console.log(`\n${[legend, skipped].join("\n").trim()}\n\n${summaryOf(ofGroup)}`);
    },
  });
  console.log(`\n${summaryOfRun(courses)}`);
  await writeReport(readResults());
  console.error(`\nIt took ${((performance.now() - start) / 60_000).toFixed(1)} minutes.`);
}

function environmentOf({ machine, versions, settings }: Run) {
  return { machine, versions, settings };
}

/** Aborts on a signal. Whoever started a process ends it, as after any failure. */
function endOnSignal(): AbortSignal {
  const controller = new AbortController();
  const codes = { SIGINT: 130, SIGTERM: 143, SIGHUP: 129 } as const;
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) {
    process.on(signal, () => {
      process.exitCode = codes[signal];
      controller.abort();
    });
  }
  return controller.signal;
}
