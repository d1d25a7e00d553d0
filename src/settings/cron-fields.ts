/** A field of a cron schedule. */
export interface CronField {
  name: string;
  minimum: number;
  maximum: number;
  names: readonly string[];
}

const months = ["JAN", "FEB", "MAR", "APR", "MAY", "JUN", "JUL", "AUG", "SEP", "OCT", "NOV", "DEC"];
const days = ["SUN", "MON", "TUE", "WED", "THU", "FRI", "SAT"];

export const cronFields: readonly CronField[] = [
  { name: "minute", minimum: 0, maximum: 59, names: [] },
  { name: "hour", minimum: 0, maximum: 23, names: [] },
  { name: "day of month", minimum: 1, maximum: 31, names: [] },
  { name: "month", minimum: 1, maximum: 12, names: months },
  { name: "day of week", minimum: 0, maximum: 7, names: days },
];

/** What is wrong with one field, if it is one of the usual mistakes: `hour 25 is not 0 to 23`. */
export function fieldProblem(field: CronField, text: string): string | undefined {
  const { name, minimum, maximum, names } = field;
  const range = `${minimum} to ${maximum}${names.length === 0 ? "" : ` or ${names[0]} to ${names.at(-1)}`}`;
  for (const item of text.split(",")) {
    const [span = "", step] = item.split("/");
    const ends = span === "*" ? [] : span.split("-");
    const outside = ends.find((end) => numberOf(field, end) === undefined);
    if (outside !== undefined) return `${name} ${outside || '""'} is not ${range}`;
    if (step !== undefined && !isWithin(step, 1, maximum))
      return `the step ${step || '""'} of ${name} is not 1 to ${maximum}`;
    if (step !== undefined && ends.length === 1)
      return `${name} ${item} has a step and no range: write ${span}-${maximum}/${step}`;
    const [from, to] = ends.flatMap((end) => numberOf(field, end) ?? []);
    if (from !== undefined && to !== undefined && from > to) {
      const isNamed = ends.some((end) => names.includes(end.toUpperCase()));
      return `${name} ${item} runs backwards: write ${wrapped(field, { from, to, step: Number(step ?? 1), isNamed })}`;
    }
  }
  return undefined;
}

/** The number of one end of a range; `undefined` if the field has no such value. */
export function numberOf({ minimum, maximum, names }: CronField, text: string): number | undefined {
  const index = names.indexOf(text.toUpperCase());
  if (index >= 0) return index + minimum;
  return isWithin(text, minimum, maximum) ? Number(text) : undefined;
}

/** A range that runs over the end of the field: `22-23,0-4`; as a list if it has a step, or names of days. */
function wrapped(field: CronField, range: { from: number; to: number; step: number; isNamed: boolean }): string {
  const { minimum, maximum, names } = field;
  const { from, to, step, isNamed } = range;
  const isDays = names === days;
  if (step === 1 && !(isDays && isNamed)) return `${span(from, maximum)},${span(minimum, to)}`;
  const count = isDays ? days.length : maximum - minimum + 1;
  const length = ((to - from + count) % count) + 1;
  const values = Array.from({ length: Math.ceil(length / step) }, (_, index) => {
    return ((from - minimum + index * step) % count) + minimum;
  });
  return values.map((value) => (isDays && isNamed ? days[value] : value)).join(",");
}

function span(from: number, to: number): string {
  return from === to ? `${from}` : `${from}-${to}`;
}

function isWithin(text: string, minimum: number, maximum: number): boolean {
  return /^\d+$/.test(text) && Number(text) >= minimum && Number(text) <= maximum;
}
