import { writeFile } from "node:fs/promises";
import { type Plan, parseCommandLine, usage } from "./command-line.ts";
import { lineOf, summaryOf } from "./report.ts";
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

async function play({ seeds, tenants, parallel, report }: Plan): Promise<void> {
  const reports = await runRounds({
    seeds,
    tenants,
    parallel,
    onReport: (round, keptFolder) => {
      console.log(lineOf(round));
      if (keptFolder !== undefined) console.log(`  kept: ${keptFolder}; again: --seed ${round.seed} --rounds 1`);
    },
  });
  const summary = summaryOf(reports);
  console.log(JSON.stringify(summary, undefined, 2));
  if (report !== undefined) await writeFile(report, `${JSON.stringify({ summary, rounds: reports }, undefined, 2)}\n`);
  if (reports.some(({ violations }) => violations.length > 0)) process.exitCode = 1;
}
