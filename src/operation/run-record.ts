import { parsePlatformDate } from "../api/platform-clock.ts";
import { isJsonObject, type JsonObject, type JsonValue } from "../json/json-value.ts";
import { hideCredentials } from "../settings/hide-credentials.ts";
import { type DeclaredRunWords, outcomeOf } from "./run-outcome.ts";

/** What a run's record shows. The specification has no fields of a run, so each is found by its usual names, or is absent. */
export interface RunFacts {
  id?: number | string;
  /** How it ended; absent if it has not, or if its status is in no list of statuses. */
  outcome?: "succeeded" | "failed";
  /** The platform's word for how it stands, with what looks like a credential hidden. */
  status?: string;
  /** When it began and when it ended, ISO 8601 in UTC. */
  startedAt?: string;
  endedAt?: string;
}

/** Whether a record says that there is no run: it is empty, or all that it has is. */
export function isNoRun(run: JsonObject): boolean {
  return Object.values(run).every((value) => {
    if (Array.isArray(value)) return value.length === 0;
    return value === null || value === "" || (isJsonObject(value) && isNoRun(value));
  });
}

/**
 * What a tenant's status says about a run; `undefined` if there is no run.
 *
 * @param more see {@link outcomeOf}.
 */
export function runFacts(run: JsonObject, ...more: readonly DeclaredRunWords[]): RunFacts | undefined {
  if (isNoRun(run)) return undefined;
  const outcome = runOutcome(run, ...more);
  const words = wordsOf(run);
  const status = words.find((word) => outcomeOf(word, ...more) === outcome) ?? words[0];
  const [startedAt, endedAt] = [timeOf(run, startNames), timeOf(run, endNames)];
  const id = runId(run);
  return {
    ...(id === undefined ? {} : { id }),
    ...(outcome === undefined ? {} : { outcome }),
    ...(status === undefined ? {} : { status: hideCredentials(status) }),
    ...(startedAt === undefined ? {} : { startedAt }),
    ...(endedAt === undefined ? {} : { endedAt }),
  };
}

/**
 * Whether a run is under way. One that has an end, or a word for an outcome, is not: a run with an end and an unknown word has
 * ended, and is no success.
 */
export function isUnderWay({ outcome, endedAt }: RunFacts): boolean {
  return outcome === undefined && endedAt === undefined;
}

/** After this time the platform has ended each run: ten minutes, and a margin. */
export const longestRunSeconds = 12 * 60;

/** Whether a run is under way although the platform should have ended it long ago. */
export function isHanging(run: RunFacts, now: Date): boolean {
  if (!isUnderWay(run) || run.startedAt === undefined) return false;
  return now.getTime() - Date.parse(run.startedAt) > longestRunSeconds * 1000;
}

/** Why a run is taken as hanging, and what to do, as a clause. */
export function hangingReason({ id, startedAt }: RunFacts = {}): string {
  const run = id === undefined ? "its run" : `run ${id}`;
  return (
    `${run} began at ${startedAt ?? "an unknown time"} and has not ended, although the platform ends runs after ten minutes; ` +
    "the tenant begins no other run until it ends. Look at it in the console, and tell the platform's operators"
  );
}

/** The id of a run; `undefined` if its record has none. */
export function runId(run: JsonObject): number | string | undefined {
  const id = [run.id, run.run_id].find((value) => typeof value === "number" || typeof value === "string");
  return typeof id === "number" || (typeof id === "string" && id !== "") ? id : undefined;
}

/** The outcome of a run as a tenant's status has it. A failure counts wherever it stands. */
export function runOutcome(run: JsonObject, ...more: readonly DeclaredRunWords[]): "succeeded" | "failed" | undefined {
  const outcomes = wordsOf(run).flatMap((word) => outcomeOf(word, ...more) ?? []);
  return outcomes.includes("failed") ? "failed" : outcomes[0];
}

/** The fields in which a run may have a word for how it stands, or an object with such fields. */
const wordFields = ["status", "run_status", "phase", "state", "outcome", "result"];

function wordsOf(run: JsonObject): string[] {
  const found = partsOf(run).flatMap((part) => wordFields.map((field) => part[field]));
  return found.flatMap((word) => (typeof word === "string" && word !== "" ? [word] : []));
}

/** The run, and the objects in it that say how it stands. */
function partsOf(run: JsonObject): JsonObject[] {
  return [run, ...wordFields.flatMap((field) => (isJsonObject(run[field]) ? [run[field]] : []))];
}

/** Names of the field for a time, in lower case without `-` and `_`, the most telling first. */
const startNames = ["starteddate", "startedat", "starttime", "startdate", "started"];
const endNames = [
  ...["completeddate", "completedat", "completiontime", "endeddate", "endedat", "endtime", "enddate"],
  ...["finisheddate", "finishedat", "finishtime", "completed", "ended", "finished"],
];

function timeOf(run: JsonObject, names: readonly string[]): string | undefined {
  const fields = partsOf(run).flatMap((part) => Object.entries(part));
  const byName = fields.map(([key, value]) => ({ name: key.toLowerCase().replaceAll(/[_-]/g, ""), value }));
  const found = names.flatMap((wanted) => byName.flatMap(({ name, value }) => (name === wanted ? [value] : [])));
  return found.map(isoTime).find((time) => time !== undefined);
}

/** A time of the platform: a string that begins with a year, or seconds or milliseconds since 1970. */
function isoTime(value: JsonValue): string | undefined {
  const time =
    typeof value === "string" && /^\d{4}-\d\d/.test(value) ? parsePlatformDate(value) : millisecondsOf(value);
  return Number.isNaN(new Date(time).getTime()) ? undefined : new Date(time).toISOString();
}

function millisecondsOf(value: JsonValue): number {
  if (typeof value !== "number" || value < 1e9) return Number.NaN;
  return value < 1e11 ? value * 1000 : value;
}
