import { writeFileSync } from "node:fs";
import { type Plan, parseCommandLine, usage } from "./command-line.ts";
import { lineOf, type RoundReport, summaryOf } from "./report.ts";
import { runRounds } from "./run-rounds.ts";

// The chaos suite from the command line; see `usage`.

try {
  const plan = parseCommandLine(process.argv.slice(2));
  if (plan === "help") console.log(usage);
  else await play(plan);
} catch (error) {
  console.error(error instanceof Error ? error.message : String(error));
  process.exitCode = 1;
}

async function play({ seeds, providers, tenants, parallel, report }: Plan): Promise<void> {
  const reports: RoundReport[] = [];
  await runRounds({
    seeds,
    providers,
    tenants,
    parallel,
    onReport: (round, keptFolder) => {
      reports.push(round);
      console.log(lineOf(round));
      if (keptFolder !== undefined)
        console.log(`  kept: ${keptFolder}; again: --provider ${round.provider} --seed ${round.seed} --rounds 1`);
      // Written after every round, so that an interrupted run keeps its results.
      if (report !== undefined)
        writeFileSync(report, `${JSON.stringify({ summary: summaryOf(reports), rounds: reports }, undefined, 2)}\n`);
    },
  });
  console.log(JSON.stringify(summaryOf(reports), undefined, 2));
  if (reports.some(({ violations }) => violations.length > 0)) process.exitCode = 1;
}
