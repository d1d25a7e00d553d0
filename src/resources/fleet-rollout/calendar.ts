import { Cron } from "croner";
import type { DescribedIssue } from "../../inputs/describe-issues.ts";
import { didYouMean } from "../../inputs/did-you-mean.ts";
import { scheduleProblem } from "../../settings/schedule-problem.ts";
import type { Strategy } from "./schema.ts";

/** When waves may start. */
export type Calendar = Pick<Strategy, "windows" | "timeZone" | "freeze">;

type Freeze = NonNullable<Calendar["freeze"]>[number];

/** Whether a wave may start, and if not, why, and from when. */
export interface Opening {
  isOpen: boolean;
  /** Why not: `outside its windows`, or `frozen from 2026-12-20 to 2027-01-03`. */
  reason?: string;
  /** The next time at which it is open; `undefined` if there is none within two years. */
  opensAt?: Date;
}

const defaultTimeZone = "UTC";
const msPerMinute = 60_000;
const msPerHour = 60 * msPerMinute;
const msPerDay = 24 * msPerHour;
const lookAheadMs = 2 * 366 * msPerDay;

/** Whether a wave may start: a window is open, and no freeze lasts. */
export function openingAt(calendar: Calendar, now: Date): Opening {
  const reason = frozenReason(calendar, now) ?? windowsReason(calendar, now);
  return reason === undefined ? { isOpen: true } : closed(reason, nextOpening(calendar, now));
}

/** Whether no freeze lasts. A freeze also stops a wave that has started. */
export function frozenAt(calendar: Calendar, now: Date): Opening {
  const withoutWindows = { ...calendar, windows: undefined };
  return openingAt(withoutWindows, now);
}

/** How many seconds of the time between two times are in a freeze, counted in hours. */
export function frozenSeconds(calendar: Calendar, from: Date, to: Date): number {
  let seconds = 0;
  for (let at = from.getTime(); at < to.getTime(); at += msPerHour) {
    if (freezeAt(calendar, new Date(at)) !== undefined) seconds += Math.min(msPerHour, to.getTime() - at) / 1000;
  }
  return seconds;
}

function closed(reason: string, opensAt: Date | undefined): Opening {
  return opensAt === undefined ? { isOpen: false, reason } : { isOpen: false, reason, opensAt };
}

function frozenReason(calendar: Calendar, at: Date): string | undefined {
  const freeze = freezeAt(calendar, at);
  return freeze && `frozen from ${freeze.from} to ${freeze.to}`;
}

function windowsReason(calendar: Calendar, at: Date): string | undefined {
  return isInWindow(calendar, at) ? undefined : "outside its windows";
}

/** Each round skips a freeze, or the time to the next window. */
function nextOpening(calendar: Calendar, now: Date): Date | undefined {
  const end = now.getTime() + lookAheadMs;
  let at: Date | undefined = now;
  while (at !== undefined && at.getTime() <= end) {
    const freeze = freezeAt(calendar, at);
    if (freeze === undefined && isInWindow(calendar, at)) return at;
    at = freeze === undefined ? nextWindow(calendar, at) : endOf(freeze, calendar, end);
  }
  return undefined;
}

function isInWindow(calendar: Calendar, at: Date): boolean {
  if (calendar.windows === undefined) return true;
  const start = Math.floor(at.getTime() / msPerMinute) * msPerMinute;
  // strictly after the second before, so that the minute itself is found
  return nextWindow(calendar, new Date(start - 1000))?.getTime() === start;
}

/** The next minute of a window after a time. When clocks change, windows move as cron jobs do. */
function nextWindow({ windows = [], timeZone = defaultTimeZone }: Calendar, after: Date): Date | undefined {
  const next = windows.map((window) => cron(window, timeZone).nextRun(after)?.getTime() ?? Number.POSITIVE_INFINITY);
  const first = Math.min(...next);
  return Number.isFinite(first) ? new Date(first) : undefined;
}

function cron(window: string, timeZone: string): Cron {
  return new Cron(window, { mode: "5-part", paused: true, timezone: timeZone });
}

function freezeAt({ freeze = [], timeZone }: Calendar, at: Date): Freeze | undefined {
  if (freeze.length === 0) return undefined;
  const today = dayOf(at, timeZone);
  return freeze.find(({ from, to }) => from <= today && today <= to);
}

/** When the day after a freeze starts. Where clocks change at midnight, that is not at 00:00. */
function endOf({ to }: Freeze, { timeZone }: Calendar, limit: number): Date | undefined {
  const midnight = Date.parse(`${to}T00:00:00Z`) + msPerDay;
  if (midnight - msPerDay > limit) return undefined;
  // No time zone is further from UTC than 14 hours.
  let [frozen, free] = [midnight - msPerDay, midnight + msPerDay];
  while (free - frozen > msPerMinute) {
    const middle = frozen + Math.floor((free - frozen) / 2 / msPerMinute) * msPerMinute;
    if (dayOf(new Date(middle), timeZone) > to) free = middle;
    else frozen = middle;
  }
  return new Date(free);
}

/** The day of a time in a time zone: `2026-12-20`. */
function dayOf(at: Date, timeZone = defaultTimeZone): string {
  const { year, month, day } = partsOf(at, timeZone, { year: "numeric", month: "2-digit", day: "2-digit" });
  return `${String(year).padStart(4, "0")}-${month}-${day}`;
}

/**
 * A time for a status: `14:05 UTC`, or `Mon 23 Nov 09:00 Europe/Berlin` if it is not today, and with the year if it is not
 * this year.
 */
export function describeTime(at: Date, now: Date, timeZone = defaultTimeZone): string {
  const isToday = dayOf(at, timeZone) === dayOf(now, timeZone);
  const { weekday, day, month, year, hour, minute } = partsOf(at, timeZone, {
    weekday: "short",
    day: "numeric",
    month: "short",
    year: "numeric",
    hour: "2-digit",
    minute: "2-digit",
    hourCycle: "h23",
  });
  const isThisYear = year === partsOf(now, timeZone, { year: "numeric" }).year;
  const date = isToday ? [] : [weekday, day, month, ...(isThisYear ? [] : [year])];
  return [...date, `${hour}:${minute}`, timeZone].join(" ");
}

function partsOf(at: Date, timeZone: string, options: Intl.DateTimeFormatOptions): Partial<Record<string, string>> {
  const format = new Intl.DateTimeFormat("en-US", { ...options, calendar: "gregory", timeZone });
  return Object.fromEntries(format.formatToParts(at).map(({ type, value }) => [type, value]));
}

/** What is wrong with the windows, the time zone and the freezes. */
export function calendarProblems({ windows, timeZone, freeze = [] }: Calendar): DescribedIssue[] {
  return [
    ...(windows?.length === 0
      ? [{ path: ["windows"], reason: "must not be empty; without windows a wave may start in any minute" }]
      : []),
    ...(windows ?? []).flatMap((window, index) => at(["windows", index], scheduleProblem(window, windowRule, "opens"))),
    ...at(["timeZone"], timeZone === undefined ? undefined : timeZoneProblem(timeZone)),
    ...freeze.flatMap(({ from, to }, index) => [
      ...at(["freeze", index, "from"], dayProblem(from)),
      ...at(["freeze", index, "to"], dayProblem(to) ?? orderProblem(from, to)),
    ]),
  ];
}

function at(path: DescribedIssue["path"], reason: string | undefined): DescribedIssue[] {
  return reason === undefined ? [] : [{ path, reason }];
}

const windowRule =
  "a cron schedule has five: minute, hour, day of month, month and day of week, " +
  'such as "* 9-15 * * 1-4" for any minute from 9:00 to 15:59, Monday to Thursday';

function timeZoneProblem(timeZone: string): string | undefined {
  try {
    partsOf(new Date(0), timeZone, { hour: "2-digit" });
    return undefined;
  } catch {
    const suggestion = didYouMean(timeZone, Intl.supportedValuesOf("timeZone"));
    const isClose = suggestion.startsWith("; did you mean");
    return `is not a time zone${isClose ? suggestion : '; write its name, such as "Europe/Berlin"'}`;
  }
}

function dayProblem(text: string): string | undefined {
  const date = new Date(`${text}T00:00:00Z`);
  const exists = !Number.isNaN(date.getTime()) && date.toISOString().startsWith(text);
  return exists ? undefined : "is not a day of the calendar";
}

function orderProblem(from: string, to: string): string | undefined {
  if (dayProblem(from) !== undefined || from <= to) return undefined;
  return `is before ${from}; the freeze lasts from the start of "from" to the end of "to"`;
}
