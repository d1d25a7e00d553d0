import { compileExpression } from "filtrex";
import type { Release } from "../../api/index.ts";
import { oneLine } from "../../json/one-line.ts";
import { shortList } from "../../json/short-list.ts";
import type { IntegrationScope } from "../../operation/integration-scope.ts";
import type { OperationContext } from "../../operation/operation-context.ts";
import { isUnderWay, runFacts } from "../../operation/run-record.ts";
import { listedRun } from "../../operation/tenant-runs.ts";
import { releaseToRun } from "../../settings/release.ts";
import { findRelease } from "../check/find-violations.ts";
import { messageOf } from "../output.ts";
import { CommandError, UsageError } from "../subcommand.ts";

/** How a release has done where it runs now. */
export interface Proof {
  /** How many tenants run the release. */
  tenants: number;
  /** How many of their syncs since the release was made have succeeded. Without a list of runs, of each tenant the last one. */
  syncs: number;
  /** How many of these syncs have failed. */
  failures: number;
  /** When the first of these syncs began; null if there was none, or its time is not known. */
  since: string | null;
}

const runsMaximum = 500;

/** The release that the tenants of an environment run, or the one that is named by its tag, and how it has done there. */
export async function provenRelease(
  context: OperationContext,
  scope: IntegrationScope,
  { tag, from }: { tag?: string | undefined; from: string },
): Promise<{ release: Release; proof: Proof }> {
  const live = [...(await scope.tenants.all()).values()];
  const running = await Promise.all(
    live.map(async (tenant) => ({
      tenant,
      release: await releaseToRun(scope.releases, scope.record, undefined, tenant),
    })),
  );
  const release =
    tag === undefined
      ? onlyRelease(
          running.flatMap(({ release }) => release ?? []),
          `${oneLine(from)}: the tenants of integration "${oneLine(scope.record.name)}"`,
        )
      : await findRelease(scope, tag);
  const users = running.filter((one) => one.release?.id === release.id).map(({ tenant }) => tenant);
  const madeAt = Date.parse(release.created_date ?? "");
  const runs = await Promise.all(
    users.map(async (tenant) => {
      const listed = await context.tenantRuns.newest(tenant.id, runsMaximum);
      const last = runFacts(tenant.status?.last_run ?? {}, scope.runWords);
      const all = listed?.map((run) => listedRun(run, scope.runWords)) ?? (last === undefined ? [] : [last]);
      return all.filter((run) => !isUnderWay(run) && !(Date.parse(run.startedAt ?? "") < madeAt));
    }),
  );
  const ended = runs.flat();
  const [since = null] = ended.flatMap(({ startedAt = [] }) => startedAt).sort();
  const failures = ended.filter(({ outcome }) => outcome !== "succeeded").length;
  return { release, proof: { tenants: users.length, syncs: ended.length - failures, failures, since } };
}

function onlyRelease(releases: readonly Release[], whose: string): Release {
  const counts = Map.groupBy(releases, ({ id }) => id);
  const [first, ...others] = [...counts.values()].map((all) => ({ release: all[0], count: all.length }));
  if (first?.release === undefined)
    throw new CommandError(`${whose} run no release that is known: name one with --tag`);
  if (others.length === 0) return first.release;
  const names = [first, ...others].map(
    ({ release, count }) => `${oneLine(release?.tag || String(release?.id))} (${count} tenants)`,
  );
  throw new CommandError(`${whose} run ${shortList(names)}: name one of them with --tag`);
}

/**
 * Whether a proof is enough.
 *
 * @param required an expression of `tenants`, `syncs` and `failures`.
 * @throws UsageError if it is no such condition.
 */
export function isEnough({ tenants, syncs, failures }: Proof, required: string): boolean {
  const numbers: Record<string, number> = { tenants, syncs, failures };
  try {
    const evaluate = compileExpression(required, {
      customProp: (name) => {
        if (!Object.hasOwn(numbers, name))
          throw new Error(`there is no ${name}: there are tenants, syncs and failures`);
        return numbers[name];
      },
    });
    const result: unknown = evaluate(numbers);
    if (typeof result === "boolean") return result;
    throw result instanceof Error ? result : new Error("it is no condition, such as syncs >= 10");
  } catch (error) {
    throw new UsageError(
      `the requirement \`${oneLine(required)}\` cannot be evaluated: ${messageOf(error).split("\n")[0]}`,
    );
  }
}
