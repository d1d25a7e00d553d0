import { Cron } from "croner";

/** What a schedule says to have none of the tenant's own. */
export const noSchedule = "none";

/** Why a text is not a cron schedule of five fields (specification, CreateTenant: "must be a valid cron string"). */
export function scheduleProblem(schedule: string): string | undefined {
  if (schedule === noSchedule) return undefined;
  try {
    new Cron(schedule, { mode: "5-part", paused: true, timezone: "UTC" });
    return undefined;
  } catch {
    return 'must be a cron schedule of five fields in UTC, such as "0 */6 * * *", or "none"';
  }
}

/** Whether two schedules mean the same: white space does not count. */
export function isSameSchedule(left: string, right: string): boolean {
  return normal(left) === normal(right);
}

function normal(schedule: string) {
  return schedule.trim().replace(/\s+/g, " ").toUpperCase();
}
