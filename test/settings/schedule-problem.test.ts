import { describe, expect, test } from "vitest";
import { scheduleProblem } from "../../src/settings/schedule-problem.ts";

test.each([
  "* * * * *",
  "0 */6 * * *",
  "0 0,12 1-15 * *",
  "0-59/5 0-23 1-31 1-12 0-7",
  "59 23 31 12 7",
  "0 0 1 jan,DEC mon-Fri",
  "  0\t0 * *  * ",
  "0 0 * * *\n",
  "0 6 29 2 *",
  "0 6 31 2 MON",
  "0 0 LW * ?",
  "0 0 15W * FRI#2",
])("%j is a schedule", (schedule) => {
  expect(scheduleProblem(schedule)).toBeUndefined();
});

test.each([
  ["60 * * * *", "minute 60 is not 0 to 59"],
  ["-1 * * * *", 'minute "" is not 0 to 59'],
  ["1.5 * * * *", "minute 1.5 is not 0 to 59"],
  ["* 24 * * *", "hour 24 is not 0 to 23"],
  ["* * 0 * *", "day of month 0 is not 1 to 31"],
  ["* * 32 * *", "day of month 32 is not 1 to 31"],
  ["* * * 0 *", "month 0 is not 1 to 12 or JAN to DEC"],
  ["* * * 13 *", "month 13 is not 1 to 12 or JAN to DEC"],
  ["* * * mon *", "month mon is not 1 to 12 or JAN to DEC"],
  ["* * * * 8", "day of week 8 is not 0 to 7 or SUN to SAT"],
  ["* * * * mon-tomorrow", "day of week tomorrow is not 0 to 7 or SUN to SAT"],
  ["0,,5 * * * *", 'minute "" is not 0 to 59'],
  ["0,61 * * * *", "minute 61 is not 0 to 59"],
  ["*/0 * * * *", "the step 0 of minute is not 1 to 59"],
  ["*/61 * * * *", "the step 61 of minute is not 1 to 59"],
  ["*/ * * * *", 'the step "" of minute is not 1 to 59'],
  ["*-5 * * * *", "minute * is not 0 to 59"],
  ["* * * * 1#6", "day of week 1#6 is not 0 to 7 or SUN to SAT"],
  ["* 2/6 * * *", "hour 2/6 has a step and no range: write 2-23/6"],
  ["* 20-4 * * *", "hour 20-4 runs backwards: write 20-23,0-4"],
  ["* * * * 5-1", "day of week 5-1 runs backwards: write 5-7,0-1"],
  ["0 0 * * FRI-MON", "day of week FRI-MON runs backwards: write FRI,SAT,SUN,MON"],
  ["0 0 * * fri-1", "day of week fri-1 runs backwards: write FRI,SAT,SUN,MON"],
  ["0 0 * * SAT-WED/2", "day of week SAT-WED/2 runs backwards: write SAT,MON,WED"],
  ["0 0 1 OCT-MAR *", "month OCT-MAR runs backwards: write 10-12,1-3"],
  ["0 0 1 oct-jan *", "month oct-jan runs backwards: write 10-12,1"],
  ["0 0 1 OCT-MAR/2 *", "month OCT-MAR/2 runs backwards: write 10,12,2"],
  ["0 22-4 * * *", "hour 22-4 runs backwards: write 22-23,0-4"],
  ["0 22-4/2 * * *", "hour 22-4/2 runs backwards: write 22,0,2,4"],
  ["0 0 1 * +MON", "day of week +MON is not 0 to 7 or SUN to SAT"],
  ["60 0 L * *", "minute 60 is not 0 to 59"],
  ["0 6 31 2 *", "never fires: no day has this date"],
  ["0 6 30,31 FEB *", "never fires: no day has this date"],
  ["0 6 31W 2,4 *", "never fires: no day has this date"],
  ["0\u00a06 * * *", "has white space that is not a space: write spaces between the fields"],
  ["60 24 * * *", "minute 60 is not 0 to 59; hour 24 is not 0 to 23"],
  ["59  24 * * 5-5", "hour 24 is not 0 to 23"],
])("%j is none: %s", (schedule, problem) => {
  expect(scheduleProblem(schedule)).toBe(problem);
});

test.each(["*/5/2 * * * *", "1-2-3 * * * *"])("%j is none, for a reason that is not a usual one", (schedule) => {
  expect(scheduleProblem(schedule, "write five fields")).toBe("is not a cron schedule; write five fields");
});

describe("another number of fields", () => {
  test.each([
    ["daily", "has 1 field; write five"],
    ["  0 0 * *  ", "has 4 fields; write five"],
    ["0 0 0 * * *", 'has 6 fields; write five. If the first is seconds, write "0 0 * * *"'],
    [
      "0 0 * * * *",
      'has 6 fields; write five. If the first is seconds, write "0 * * * *". If the last is a year, write "0 0 * * *"',
    ],
    ["0 0 12 ? * MON-FRI", 'has 6 fields; write five. If the first is seconds, write "0 12 * * MON-FRI"'],
    ["0 0 12 ? * MON *", 'has 7 fields; write five. If the first is seconds and the last a year, write "0 12 * * MON"'],
    ["0 0 12 ? * 2 *", "has 7 fields; write five"],
    ["5 0 0 * * *", "has 6 fields; write five"],
    ["0 0 0 31 2 *", "has 6 fields; write five"],
    ["@daily", 'is a nickname, and a cron schedule has five fields: write "0 0 * * *"'],
    [" @Midnight", 'is a nickname, and a cron schedule has five fields: write "0 0 * * *"'],
    ["@hourly", 'is a nickname, and a cron schedule has five fields: write "0 * * * *"'],
    ["@weekly", 'is a nickname, and a cron schedule has five fields: write "0 0 * * 0"'],
    ["@reboot", "has 1 field; write five"],
    ["2026-07-01T06:00:00", "is a date, not the fields of a schedule; write five"],
    ["2026-07-01 06:00", "is a date, not the fields of a schedule; write five"],
  ])("%j", (schedule, problem) => {
    expect(scheduleProblem(schedule, "write five")).toBe(problem);
  });

  test("the rule is by default that of a tenant's schedule", () => {
    expect(scheduleProblem("daily")).toMatch(/^has 1 field; a cron schedule has five: .*"none" means no schedule$/);
  });
});
