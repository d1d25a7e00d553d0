import pLimit from "p-limit";
import { failingShare, listedRun } from "../../operation/tenant-runs.ts";
import type { SelectedTenant } from "../tenants/select-tenants.ts";
import { withProgress } from "../terminal.ts";
import type { CommandContext } from "../with-platform.ts";
import type { FailingShare } from "./fleet-status.ts";

const concurrency = 10;
/** How many runs of a tenant count. */
const lastRuns = 20;

/** How many of the last runs failed, by the ids of tenants; empty if the platform does not list runs. */
export async function failingShares(
  context: CommandContext,
  selected: readonly SelectedTenant[],
): Promise<Map<number, { recentRuns: FailingShare }>> {
  const limit = pLimit(concurrency);
  return withProgress(context.shell, "reading the last runs", async () => {
    const read = await limit.map(selected, async ({ tenant, scope }) => {
      const runs = await context.tenantRuns.newest(tenant.id, lastRuns);
      const facts = runs?.map((run) => listedRun(run, scope.runWords));
      return facts === undefined ? [] : [[tenant.id, { recentRuns: failingShare(facts) }] as const];
    });
    return new Map(read.flat());
  });
}
