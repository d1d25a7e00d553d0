import { type CronField, cronFields, numberOf } from "./cron-fields.ts";

/**
 * Whether two cron schedules in UTC fire at the same minutes for ever, however they write them: a step of `*` or of its range, names
 * or numbers, a trailing `UTC`. Schedules with signs that not every cron has are compared as texts.
 */
export function haveSameMinutes(left: string, right: string): boolean {
  const [one, other] = [normalized(left), normalized(right)];
  if (one === other) return true;
  const [first, second] = [parsed(one), parsed(other)];
  if (first === undefined || second === undefined) return false;
  const haveSameTimes = [0, 1, 3].every((index) => areEqual(first[index], second[index]));
  return haveSameTimes && [true, false].every((isStepAny) => haveSameDays(first, second, isStepAny));
}

interface Field {
  values: ReadonlySet<number>;
  /** `any` is `*`; `step` is a step of it, which some crons take for any when they combine the two fields of days. */
  star: "any" | "step" | "none";
}

function normalized(schedule: string): string {
  const words = schedule.trim().toUpperCase().split(/\s+/);
  return (words.length > cronFields.length && words.at(-1) === "UTC" ? words.slice(0, -1) : words).join(" ");
}

function parsed(schedule: string): Field[] | undefined {
  const texts = schedule.split(" ");
  const fields = cronFields.map((field, index) => parsedField(field, texts[index] ?? ""));
  const known = fields.filter((field) => field !== undefined);
  return texts.length === cronFields.length && known.length === fields.length ? known : undefined;
}

function parsedField(field: CronField, text: string): Field | undefined {
  const values = new Set<number>();
  for (const item of text.split(",")) {
    const [span = "", step = "1", ...more] = item.split("/");
    const ends = span === "*" ? [field.minimum, field.maximum] : span.split("-").map((end) => numberOf(field, end));
    const [from, to = from] = ends;
    const isPlain = /^[1-9]\d*$/.test(step) && more.length === 0 && ends.length <= 2;
    const hasRange = ends.length === 2 || !item.includes("/");
    if (!isPlain || !hasRange || from === undefined || to === undefined || from > to) return undefined;
    for (let value = from; value <= to; value += Number(step)) values.add(field.name === dayOfWeek ? value % 7 : value);
  }
  return { values, star: text === "*" ? "any" : text.startsWith("*") ? "step" : "none" };
}

const dayOfWeek = "day of week";

/** Whether two schedules have the same days: with both fields of days restricted, one of them is enough (crontab(5)). */
function haveSameDays(left: readonly Field[], right: readonly Field[], isStepAny: boolean): boolean {
  const isDayOf = ([, , days, , weekdays]: readonly Field[]) => {
    const isAny = (field?: Field) => field?.star === "any" || (isStepAny && field?.star === "step");
    const isEither = !isAny(days) && !isAny(weekdays);
    return (day: number, weekday: number) => {
      const [isDay, isWeekday] = [days?.values.has(day) === true, weekdays?.values.has(weekday) === true];
      return isEither ? isDay || isWeekday : isDay && isWeekday;
    };
  };
  const [one, other] = [isDayOf(left), isDayOf(right)];
  const all = (count: number) => Array.from({ length: count }, (_, index) => index);
  return all(31).every((day) => all(7).every((weekday) => one(day + 1, weekday) === other(day + 1, weekday)));
}

function areEqual(left?: Field, right?: Field): boolean {
  const [one, other] = [[...(left?.values ?? [])], right?.values ?? new Set()];
  return one.length === other.size && one.every((value) => other.has(value));
}
