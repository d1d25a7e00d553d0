// `npm run bench`: the ways to bring about many tenants side by side, on the real engines and a platform in another
// process; see `usage` and docs/performance.md. Ratios count, not seconds.
import { writeCharts } from "./charts/write-charts.ts";
import { type Plan, parseCommandLine, usage } from "./command-line.ts";
import { readEnvironment } from "./environment.ts";
import { measure } from "./measure.ts";
import { type CourseResult, keepResults, type Measurement } from "./results.ts";
import { summaryOf } from "./summary.ts";

const ending = endOnSignal();
try {
  const plan = parseCommandLine(process.argv.slice(2));
  if (plan === "help") console.log(usage);
  else await run(plan);
} catch (error) {
  if (ending.aborted) console.error("ended early; results so far are kept");
  else console.error(error instanceof Error ? error.message : String(error));
  process.exitCode ||= 1;
}

async function run(plan: Plan): Promise<void> {
  const runStartedAt = new Date().toISOString();
  const environment = await readEnvironment(plan.contenders);
  for (const latencyMilliseconds of plan.latenciesMilliseconds) {
    for (const size of plan.sizes) {
      const courses = await measureAll(plan, { runStartedAt, size, latencyMilliseconds });
      const { courses: all } = keepResults({ environment, courses });
      console.log(
        `\n${size} tenants, ${latencyMilliseconds} ms of latency; median of ${plan.roundsAt(size)} (spread)\n`,
      );
      console.log(summaryOf(courses));
      await writeCharts(all);
    }
  }
}

/** The contenders take turns in each round, so that what else the machine does meets all of them. */
async function measureAll(
  { contenders, roundsAt }: Plan,
  at: Pick<CourseResult, "runStartedAt" | "size" | "latencyMilliseconds">,
): Promise<CourseResult[]> {
  const rounds = new Map(contenders.map((contender) => [contender, [] as Measurement[][]]));
  for (let round = 1; round <= roundsAt(at.size); round += 1) {
    for (const contender of contenders) {
      console.error(`${at.size} tenants, ${at.latencyMilliseconds} ms, round ${round}: ${contender.name}`);
      rounds.get(contender)?.push(await measure({ contender, ...at, ending }));
    }
  }
  return [...rounds].map(([{ name }, measured]) => ({ ...at, contender: name, rounds: measured }));
}

/** What runs is ended by whoever started it, as for any failure. */
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
