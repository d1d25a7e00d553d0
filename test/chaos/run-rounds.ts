import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readFile, realpath, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pLimit from "p-limit";
import type { CheckpointMode } from "./checkpoint-mode.ts";
import { kindOf } from "./disturbances/index.ts";
import { type RoundReport, roundReportSchema } from "./report.ts";
import type { RoundPlan } from "./round.ts";

export interface Rounds {
  readonly rounds: readonly Pick<RoundPlan, "seed" | "provider">[];
  readonly tenants: number;
  /** Default `each`. */
  readonly checkpoints?: CheckpointMode;
  /** The number of parallel rounds. */
  readonly parallel: number;
  /** Ends the rounds that are being played, which have no report then, and begins no others. */
  readonly signal?: AbortSignal;
  readonly onReport: (report: RoundReport, keptFolder: string | undefined) => Promise<void> | void;
}

/** Plays rounds, each in its own process and folder. Keeps the folder of a round with violations. */
export async function runRounds({
  rounds,
  tenants,
  checkpoints = "each",
  parallel,
  signal,
  onReport,
}: Rounds): Promise<RoundReport[]> {
  const reports = await pLimit(parallel).map(rounds, async ({ seed, provider }) => {
    if (signal?.aborted) return [];
    const folder = await realpath(await mkdtemp(join(tmpdir(), `chaos-${seed}-${provider}-`)));
    const report = await playInProcess({ seed, provider, kind: kindOf(seed), tenants, checkpoints, folder }, signal);
    const isKept = report !== undefined && report.violations.length > 0;
    if (!isKept) await rm(folder, { recursive: true, force: true, maxRetries: 5 });
    if (report === undefined) return [];
    await onReport(report, isKept ? folder : undefined);
    return [report];
  });
  return reports.flat();
}

const script = join(import.meta.dirname, "round-main.ts");

/** Returns undefined if the round was ended. */
async function playInProcess(plan: RoundPlan, signal: AbortSignal | undefined): Promise<RoundReport | undefined> {
  const startedAt = Date.now();
  const child = spawn(process.execPath, [script, JSON.stringify(plan)], { stdio: ["ignore", "inherit", "pipe"] });
  let complaints = "";
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    complaints += text;
  });
  const end = () => void child.kill("SIGTERM");
  signal?.addEventListener("abort", end);
  if (signal?.aborted) end();
  await once(child, "close");
  signal?.removeEventListener("abort", end);
  try {
    return roundReportSchema.parse(JSON.parse(await readFile(join(plan.folder, "report.json"), "utf8")));
  } catch {
    if (signal?.aborted) return undefined;
    const { folder: _, checkpoints: __, ...known } = plan;
    const nothing = { variants: {}, strikes: {}, steps: [], requests: 0, explained: 0, searchedFiles: 0, webhooks: 0 };
    const violations = [`the round itself broke off: ${complaints.slice(-1200)}`];
    const seconds = (Date.now() - startedAt) / 1000;
    return { ...known, ...nothing, rollout: "not reached", violations, seconds };
  }
}
