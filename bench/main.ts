// `npm run bench`: compares ways to manage many tenants, on the real engines and a platform in another process. See `usage`
// and docs/performance.md. Compare ratios, not seconds.
import { writeCharts } from "./charts/write-charts.ts";
import { type Plan, parseCommandLine, usage } from "./command-line.ts";
import { entrantName, entrantsAt, skippedAt } from "./entrants.ts";
import { readEnvironment } from "./environment.ts";
import { measure } from "./measure.ts";
import { type CourseResult, keepResults, readResults } from "./results.ts";
import { summaryOf } from "./summary.ts";

const ending = endOnSignal();
try {
  const plan = parseCommandLine(process.argv.slice(2));
  if (plan === "help") console.log(usage);
  else await run(plan);
} catch (error) {
  if (ending.aborted) console.error("The benchmark was interrupted. bench/results.json has the results so far.");
  else console.error(error instanceof Error ? error.message : String(error));
  process.exitCode ||= 1;
}

async function run(plan: Plan): Promise<void> {
  const runStartedAt = new Date().toISOString();
  const environment = await readEnvironment(plan);
  const measured: CourseResult[] = [];
  for (const latencyMilliseconds of plan.latenciesMilliseconds) {
    for (const size of plan.sizes) {
      const at = { runStartedAt, size, latencyMilliseconds };
      const courses = entrantsAt(size, plan).map(({ contender: { name: contender }, backend }): CourseResult => {
        return { ...at, contender, backend, rounds: [] };
      });
      for (let round = 1; round <= plan.roundsAt(size); round += 1) {
        await measureRound(plan, courses, () => keepResults(environment, [...measured, ...courses.filter(hasBegun)]));
      }
      const legend = `${size} tenants, ${latencyMilliseconds} ms of latency; median of ${plan.roundsAt(size)} (spread)`;
      console.log(`\n${[legend, skippedAt(size, plan)].join("\n").trim()}\n`);
      console.log(summaryOf(courses));
      measured.push(...courses);
    }
  }
  await writeCharts(readResults().courses);
}

/** The contenders take turns in each round, so that other load on the machine affects all of them. */
async function measureRound({ contenders }: Plan, courses: readonly CourseResult[], keep: () => void): Promise<void> {
  for (const course of courses) {
    const { backend, size, latencyMilliseconds, rounds } = course;
    const contender = contenders.find(({ name }) => name === course.contender);
    if (contender === undefined) continue;
    console.error(`${size} tenants, ${latencyMilliseconds} ms, round ${rounds.length + 1}: ${entrantName(course)}`);
    rounds.push(await measure({ contender, backend, size, latencyMilliseconds, ending }));
    keep();
  }
}

function hasBegun({ rounds }: CourseResult): boolean {
  return rounds.length > 0;
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
