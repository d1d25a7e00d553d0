import { isDeepStrictEqual } from "node:util";
import { z } from "zod";
import type { Tenant } from "../api/index.ts";
import { nonEmptyString } from "../inputs/string-schema.ts";
import { haveSameMinutes } from "./same-minutes.ts";
import { scheduleProblem, uncommonSigns } from "./schedule-problem.ts";
import type { Setting } from "./setting.ts";
import { isShownAs } from "./shown-as.ts";

/** The declared value for a tenant without its own schedule. */
export const noSchedule = "none";

/** The cron schedule of a tenant (specification, Tenant: `user_schedule`). */
export const schedule: Setting<string> = {
  schema: nonEmptyString('must be a cron schedule such as "0 */6 * * *", or "none"'),
  storedSchema: z.string(),
  kind: "value",
  triggersSync: true,
  problemOf: (schedule) => (schedule === noSchedule ? undefined : scheduleProblem(schedule)),
  doubtOf: (schedule, live) => {
    const known = typeof live === "string" ? uncommonSigns(live) : [];
    const signs = uncommonSigns(schedule).filter((sign) => !known.includes(sign));
    if (schedule === noSchedule || signs.length === 0 || scheduleProblem(schedule) !== undefined) return undefined;
    const shown = signs.map((sign) => `"${sign}"`);
    return `"${schedule}" has ${shown.join(" and ")}, which not every cron has: the platform may refuse it`;
  },
  live: ({ tenant }) => tenant.user_schedule,
  shown: ({ tenant }) => fromApi(tenant.user_schedule),
  observe: ({ declared, lastKnown, observed: { tenant }, shownAs, platform }) => {
    const live = fromApi(tenant.user_schedule);
    if (live === undefined) return lastKnown;
    const isShifted = platform["schedule.form"] === "shifted" && live !== noSchedule;
    if (isShifted && lastKnown !== undefined && haveSameMinutes(lastKnown, declared)) return declared;
    return haveSameMinutes(live, declared) || isShownAs(shownAs, ["schedule"], declared, live) ? declared : live;
  },
  areEquivalent: haveSameMinutes,
  absentField: (_, { user_schedule }) => (user_schedule === undefined ? "user_schedule" : undefined),
  // a POST cannot clear the default schedule that the integration may set
  createFields: (schedule) => (schedule === noSchedule ? undefined : { user_schedule: schedule }),
  unlikeCreated: ({ declared, seen, observed: { tenant } }) => {
    if (declared === undefined || declared === noSchedule || tenant.user_schedule === undefined) return [];
    return isDeepStrictEqual(declared, seen) ? [] : [[]];
  },
  write: {
    endpoint: "tenant",
    fields: ({ declared }) => ({ user_schedule: declared === noSchedule ? null : declared }),
  },
  export: ({ observed: { tenant } }) => {
    return { value: fromApi(tenant.user_schedule), leftOut: [] };
  },
};

/** The declared form of a live schedule. Null and "" mean that the tenant has no schedule of its own. */
function fromApi(live: Tenant["user_schedule"]): string | undefined {
  if (live === undefined) return undefined;
  return live === null || live.trim() === "" ? noSchedule : live;
}
