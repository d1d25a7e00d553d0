import { z } from "zod";
import { providerNames } from "../engine/harness/provider-under-test.ts";

const countsSchema = z.record(z.string(), z.number());

export const roundReportSchema = z.object({
  seed: z.int(),
  provider: z.enum(providerNames),
  kind: z.string(),
  variants: z.record(z.string(), z.string()),
  tenants: z.int(),
  /** The faults that occurred, by kind. */
  strikes: countsSchema,
  /** By step: how the disturbed command ended, and how many commands it took to repair. */
  steps: z.array(z.object({ name: z.string(), code: z.int().nullable(), repairs: z.int() })),
  /** The phase in which the rollout has ended. */
  rollout: z.string(),
  /** The requests of the round's commands and, if compared, of the same commands without faults. */
  requests: z.int(),
  faultlessRequests: z.int().optional(),
  /** Differences after a success that an external write explains. */
  explained: z.int(),
  searchedFiles: z.int(),
  webhooks: z.int(),
  violations: z.array(z.string()),
  seconds: z.number(),
});
export type RoundReport = z.infer<typeof roundReportSchema>;

/** A round in one line, and its violations below. */
export function lineOf(report: RoundReport): string {
  const { seed, provider, kind, strikes, steps, rollout, requests, faultlessRequests, violations, seconds } = report;
  const struck = Object.values(strikes).reduce((sum, count) => sum + count, 0);
  const ways = steps.map(({ name, code, repairs }) => `${name} ${code ?? "killed"}+${repairs}`).join(", ");
  const compared = faultlessRequests === undefined ? "" : ` of ${faultlessRequests} without faults`;
  const outcome = violations.length === 0 ? "ok" : `${violations.length} VIOLATIONS`;
  return [
    `seed ${seed}  ${provider.padEnd(7)}  ${kind.padEnd(10)}  struck ${String(struck).padStart(4)}  ${ways}  rollout ${rollout}  requests ${requests}${compared}  ${seconds.toFixed(0)} s  ${outcome}`,
    ...violations.map((violation) => `  - ${violation.slice(0, 1500)}`),
  ].join("\n");
}

/** The summary of a run of many rounds. */
export function summaryOf(reports: readonly RoundReport[]): Record<string, unknown> {
  const sum = (list: readonly Record<string, number>[]) => {
    const total: Record<string, number> = {};
    for (const [key, count] of list.flatMap((counts) => Object.entries(counts))) total[key] = (total[key] ?? 0) + count;
    return total;
  };
  const steps = reports.flatMap((report) => report.steps);
  return {
    rounds: reports.length,
    roundsByProvider: sum(reports.map(({ provider }) => ({ [provider]: 1 }))),
    roundsByKind: sum(reports.map(({ kind }) => ({ [kind]: 1 }))),
    strikes: sum(reports.map(({ strikes }) => strikes)),
    roundsThatNothingStruck: reports.filter(({ strikes }) => !Object.values(strikes).some((count) => count > 0)).length,
    commandsDisturbed: steps.length,
    commandsThatSucceededAllTheSame: steps.filter(({ code }) => code === 0).length,
    repairs: sum(steps.map(({ repairs }) => ({ [repairs]: 1 }))),
    rolloutEnds: sum(reports.map(({ rollout }) => ({ [rollout]: 1 }))),
    explained: reports.reduce((total, { explained }) => total + explained, 0),
    variantValues: sum(
      reports.flatMap(({ variants }) => Object.entries(variants).map((pair) => ({ [pair.join("=")]: 1 }))),
    ),
    violations: reports.flatMap(({ seed, provider, kind, violations }) =>
      violations.map((violation) => `seed ${seed} (${provider}, ${kind}): ${violation}`),
    ),
  };
}
