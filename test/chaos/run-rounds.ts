import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readFile, realpath, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pLimit from "p-limit";
import { kindOf } from "./disturbances/index.ts";
import { type RoundReport, roundReportSchema } from "./report.ts";

export interface Rounds {
  readonly seeds: readonly number[];
  readonly tenants: number;
  /** The number of parallel rounds. */
  readonly parallel: number;
  readonly onReport: (report: RoundReport, keptFolder: string | undefined) => void;
}

/** Plays rounds, each in its own process and folder. Keeps the folder of a round with violations. */
export async function runRounds({ seeds, tenants, parallel, onReport }: Rounds): Promise<RoundReport[]> {
  const limit = pLimit(parallel);
  return limit.map([...seeds], async (seed) => {
    const folder = await realpath(await mkdtemp(join(tmpdir(), `chaos-${seed}-`)));
    const report = await playInProcess({ seed, kind: kindOf(seed), tenants, folder });
    const isClean = report.violations.length === 0;
    if (isClean) await rm(folder, { recursive: true, force: true, maxRetries: 5 });
    onReport(report, isClean ? undefined : folder);
    return report;
  });
}

const script = join(import.meta.dirname, "round-main.ts");

async function playInProcess(plan: {
  seed: number;
  kind: string;
  tenants: number;
  folder: string;
}): Promise<RoundReport> {
  const startedAt = Date.now();
  const child = spawn(process.execPath, [script, JSON.stringify(plan)], { stdio: ["ignore", "inherit", "pipe"] });
  let complaints = "";
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    complaints += text;
  });
  await once(child, "close");
  try {
    return roundReportSchema.parse(JSON.parse(await readFile(join(plan.folder, "report.json"), "utf8")));
  } catch {
    const { folder: _, ...known } = plan;
    const nothing = { variants: {}, strikes: {}, steps: [], requests: 0, explained: 0, searchedFiles: 0, webhooks: 0 };
    const violations = [`the round itself broke off: ${complaints.slice(-1200)}`];
    return { ...known, ...nothing, violations, seconds: (Date.now() - startedAt) / 1000 };
  }
}
