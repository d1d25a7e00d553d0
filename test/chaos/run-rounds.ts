import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readFile, realpath, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pLimit from "p-limit";
import type { ProviderName } from "../engine/harness/provider-under-test.ts";
import { kindOf } from "./disturbances/index.ts";
import { type RoundReport, roundReportSchema } from "./report.ts";
import type { RoundPlan } from "./round.ts";

export interface Rounds {
  readonly seeds: readonly number[];
  readonly providers: readonly ProviderName[];
  readonly tenants: number;
  /** The number of parallel rounds. */
  readonly parallel: number;
  readonly onReport: (report: RoundReport, keptFolder: string | undefined) => void;
}

/** Plays each seed on each provider, each round in its own process and folder. Keeps the folder of a round with violations. */
export async function runRounds({ seeds, providers, tenants, parallel, onReport }: Rounds): Promise<RoundReport[]> {
  const limit = pLimit(parallel);
  const rounds = seeds.flatMap((seed) => providers.map((provider) => ({ seed, provider })));
  return limit.map(rounds, async ({ seed, provider }) => {
    const folder = await realpath(await mkdtemp(join(tmpdir(), `chaos-${seed}-${provider}-`)));
    const report = await playInProcess({ seed, provider, kind: kindOf(seed), tenants, folder });
    const isClean = report.violations.length === 0;
    if (isClean) await rm(folder, { recursive: true, force: true, maxRetries: 5 });
    onReport(report, isClean ? undefined : folder);
    return report;
  });
}

const script = join(import.meta.dirname, "round-main.ts");

async function playInProcess(plan: RoundPlan): Promise<RoundReport> {
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
