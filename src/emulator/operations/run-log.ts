import type { RunRecord } from "../entities/run.ts";
import type { TenantRecord } from "../entities/tenant.ts";

/** The first lines of a run's log. */
export function openingOfLog(run: RunRecord, tenant: TenantRecord): string {
  const triggers = run.triggers.map(({ trigger_id, source }) => `${trigger_id} (${source})`).join(", ");
  return lines(run.started_date, [
    `INFO run ${run.id} of tenant ${tenant.name} (${tenant.id}) started, mode ${run.mode}`,
    `INFO triggers: ${triggers}`,
  ]);
}

/** The rest of it. */
export function closingOfLog(run: RunRecord): string {
  const failure = run.ending?.failure ?? null;
  const last = failure === null ? `INFO run ${run.id} succeeded` : `ERROR run ${run.id} failed: ${failure}`;
  return lines(run.completed_date, [...(run.ending?.log ?? []).map((line) => `INFO ${line}`), last]);
}

function lines(time: string | null, texts: readonly string[]): string {
  return texts.map((text) => `${time} ${text}\n`).join("");
}
