import { Cron } from "croner";
import { type CronField, cronFields, fieldProblem } from "./cron-fields.ts";

/**
 * Why a string is no valid cron schedule of five fields (specification, CreateTenant: "must be a valid cron string"). The cron
 * library takes more forms than five fields, and the platform does not.
 *
 * @param rule what a valid one looks like, for messages. Default: that of a tenant's schedule.
 * @param fires what the times of the schedule do, for messages.
 */
export function scheduleProblem(schedule: string, rule = tenantRule, fires = "fires"): string | undefined {
  const texts = fieldsOf(schedule);
  if (/[^\S \t]/.test(texts.join(" "))) return "has white space that is not a space: write spaces between the fields";
  if (texts.length !== cronFields.length) return formProblem(schedule, texts, rule);
  const cron = parse(schedule);
  if (cron === undefined) {
    const reasons = cronFields.flatMap((field, index) => problemAlone(field, index, texts[index] ?? "") ?? []);
    return reasons.length > 0 ? reasons.join("; ") : `is not a cron schedule; ${rule}`;
  }
  // Only a date can be missing in each of the months: the look for it in all years takes time.
  const mayNeverFire = texts[3] !== "*";
  return mayNeverFire && cron.nextRun() === null ? `never ${fires}: no day has this date` : undefined;
}

/** The signs of a schedule that not every cron has, such as "L" for the last day: a platform may refuse them. */
export function uncommonSigns(schedule: string): string[] {
  const withoutNames = schedule.toUpperCase().replace(/[A-Z]{3}/g, "");
  return ["L", "W", "#", "?"].filter((sign) => withoutNames.includes(sign));
}

const tenantRule =
  "a cron schedule has five: minute, hour, day of month, month and day of week in UTC, " +
  'such as "0 */6 * * *"; "none" means no schedule';

function fieldsOf(schedule: string): string[] {
  return schedule.replace(/^[ \t\r\n]+|[ \t\r\n]+$/g, "").split(/[ \t]+/);
}

function parse(schedule: string): Cron | undefined {
  if (schedule.includes("+")) return undefined; // the library takes it before a day of the week, as no other cron does
  try {
    return new Cron(schedule, { mode: "5-part", paused: true, timezone: "UTC" });
  } catch {
    return undefined;
  }
}

function problemAlone(field: CronField, index: number, text: string): string | undefined {
  const alone = cronFields.map((_, other) => (other === index ? text : "*")).join(" ");
  return parse(alone) === undefined ? fieldProblem(field, text) : undefined;
}

/** What is wrong with a string of more or fewer fields, and the five fields that mean the same. */
function formProblem(schedule: string, texts: readonly string[], rule: string): string {
  const same = nicknames.get(schedule.trim().toLowerCase());
  if (same !== undefined) return `is a nickname, and a cron schedule has five fields: write "${same}"`;
  if (/^\d{4}-\d\d-\d\d/.test(schedule.trim())) return `is a date, not the fields of a schedule; ${rule}`;
  const [first, ...afterSeconds] = texts;
  const readings = [
    ...reading("the first is seconds", first === "0" ? afterSeconds : []),
    ...reading("the last is a year", texts.at(-1) === "*" ? texts.slice(0, -1) : []),
    ...reading(
      "the first is seconds and the last a year",
      first === "0" && texts.at(-1) === "*" ? afterSeconds.slice(0, -1) : [],
    ),
  ];
  return [`has ${count(texts.length)}; ${rule}`, ...readings].join(". ");
}

const nicknames: ReadonlyMap<string, string> = new Map([
  ["@yearly", "0 0 1 1 *"],
  ["@annually", "0 0 1 1 *"],
  ["@monthly", "0 0 1 * *"],
  ["@weekly", "0 0 * * 0"],
  ["@daily", "0 0 * * *"],
  ["@midnight", "0 0 * * *"],
  ["@hourly", "0 * * * *"],
]);

/** What to write, if the fields that are left are valid. */
function reading(condition: string, texts: readonly string[]): string[] {
  // Where "?" is written, a number of a day of the week may be that of Quartz, whose 1 is Sunday.
  const mayBeQuartz = texts.includes("?") && /\d/.test(texts.at(-1) ?? "");
  const schedule = texts.map((text) => (text === "?" ? "*" : text)).join(" ");
  const isValid = texts.length === cronFields.length && !mayBeQuartz && scheduleProblem(schedule) === undefined;
  return isValid ? [`If ${condition}, write "${schedule}"`] : [];
}

function count(fields: number): string {
  return fields === 1 ? "1 field" : `${fields} fields`;
}
