import { readFileSync } from "node:fs";
import { z } from "zod";
import { type Commit, whyNotContinued } from "../../bench/commit.ts";
import { replaceFile } from "../../src/cli/replace-file.ts";
import { providerNames } from "../engine/harness/provider-under-test.ts";
import { checkpointModes } from "./checkpoint-mode.ts";
import { type RoundReport, roundReportSchema, summaryOf } from "./report.ts";

const savedRunSchema = z.object({
  plan: z.object({
    seeds: z.array(z.int()),
    providers: z.array(z.enum(providerNames)),
    tenants: z.int(),
    checkpoints: z.enum(checkpointModes).default("each"),
  }),
  /** What is tested; absent if that is not known. */
  commit: z.object({ id: z.string(), hasChanges: z.boolean() }).optional(),
  startedAt: z.string(),
  /** When the run was continued. */
  continuedAt: z.array(z.string()),
  /** The rounds that have ended. */
  rounds: z.array(roundReportSchema),
});

/** The report of a run, with all that is needed to continue it. */
export type SavedRun = z.infer<typeof savedRunSchema>;

/** Reads a report. @throws Error if the file cannot be read or is no report. */
export function readRun(path: string): SavedRun {
  let content: unknown;
  try {
    content = JSON.parse(readFileSync(path, "utf8"));
  } catch (error) {
    throw new Error(`cannot read the report ${path}: ${error instanceof Error ? error.message : String(error)}`);
  }
  const parsed = savedRunSchema.safeParse(content);
  if (parsed.success) return parsed.data;
  throw new Error(`${path} is no report of --report: ${z.prettifyError(parsed.error)}`);
}

/** Writes a report with its summary, as a whole: a run that is killed leaves the old one or the new one. */
export async function writeRun(path: string, { rounds, ...run }: SavedRun): Promise<void> {
  await replaceFile(path, `${JSON.stringify({ ...run, summary: summaryOf(rounds), rounds }, undefined, 2)}\n`);
}

/**
 * The run that goes on, from now.
 *
 * @param commit that of the clone now.
 * @throws Error if the rounds that it has did not test exactly this commit.
 */
export function continuedRun(run: SavedRun, commit: Commit | undefined, now: Date): SavedRun {
  const why = whyNotContinued("tested", run.commit, commit);
  if (why === undefined) return { ...run, continuedAt: [...run.continuedAt, now.toISOString()] };
  throw new Error(`cannot continue the run of ${run.startedAt}: ${why}. Start another run with --report`);
}

/** The rounds of the plan that the run lacks. */
export function missingRounds({ plan, rounds }: SavedRun): Pick<RoundReport, "seed" | "provider">[] {
  const ended = new Set(rounds.map(({ seed, provider }) => `${seed} ${provider}`));
  return plan.seeds
    .flatMap((seed) => plan.providers.map((provider) => ({ seed, provider })))
    .filter(({ seed, provider }) => !ended.has(`${seed} ${provider}`));
}
