import { Cron } from "croner";

/**
 * Why a string is no valid cron schedule of five fields (specification, CreateTenant: "must be a valid cron string").
 *
 * @param rule what a valid one looks like, for messages. Default: that of a tenant's schedule.
 */
export function scheduleProblem(schedule: string, rule = tenantRule): string | undefined {
  try {
    new Cron(schedule, { mode: "5-part", paused: true, timezone: "UTC" });
    return undefined;
  } catch {
    const texts = schedule.trim().split(/\s+/);
    if (texts.length !== fields.length) return `has ${count(texts.length)}; ${rule}`;
    const reasons = fields.flatMap((field, index) => fieldProblem(field, texts[index] ?? "") ?? []);
    if (reasons.length > 0) return reasons.join("; ");
    return `is not a cron schedule; ${rule}`;
  }
}

const tenantRule =
  "a cron schedule has five: minute, hour, day of month, month and day of week in UTC, " +
  'such as "0 */6 * * *"; "none" means no schedule';

interface Field {
  name: string;
  minimum: number;
  maximum: number;
  names: readonly string[];
}

const months = ["JAN", "FEB", "MAR", "APR", "MAY", "JUN", "JUL", "AUG", "SEP", "OCT", "NOV", "DEC"];
const days = ["SUN", "MON", "TUE", "WED", "THU", "FRI", "SAT"];

const fields: readonly Field[] = [
  { name: "minute", minimum: 0, maximum: 59, names: [] },
  { name: "hour", minimum: 0, maximum: 23, names: [] },
  { name: "day of month", minimum: 1, maximum: 31, names: [] },
  { name: "month", minimum: 1, maximum: 12, names: months },
  { name: "day of week", minimum: 0, maximum: 7, names: days },
];

/** What is wrong with one field, if it is one of the usual mistakes: `hour 25 is not 0 to 23`. */
function fieldProblem({ name, minimum, maximum, names }: Field, text: string): string | undefined {
  const range = `${minimum} to ${maximum}${names.length === 0 ? "" : ` or ${names[0]} to ${names.at(-1)}`}`;
  for (const item of text.split(",")) {
    const [span = "", step] = item.split("/");
    const ends = span === "*" ? [] : span.split("-");
    const outside = ends.find((end) => !(isWithin(end, minimum, maximum) || names.includes(end.toUpperCase())));
    if (outside !== undefined) return `${name} ${outside || '""'} is not ${range}`;
    if (step !== undefined && !isWithin(step, 1, maximum))
      return `the step ${step || '""'} of ${name} is not 1 to ${maximum}`;
    if (step !== undefined && ends.length === 1)
      return `${name} ${item} has a step and no range: write ${span}-${maximum}/${step}`;
    const [from, to] = ends.map(Number);
    if (from !== undefined && to !== undefined && from > to)
      return `${name} ${span} runs backwards: write ${from}-${maximum},${minimum}-${to}`;
  }
  return undefined;
}

function isWithin(text: string, minimum: number, maximum: number): boolean {
  return /^\d+$/.test(text) && Number(text) >= minimum && Number(text) <= maximum;
}

function count(fields: number): string {
  return fields === 1 ? "1 field" : `${fields} fields`;
}
