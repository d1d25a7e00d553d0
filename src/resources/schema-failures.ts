import { isDeepStrictEqual } from "node:util";
import { formatPath, type JsonObject } from "../api/index.ts";
import { type Problem, type ReleaseSchema, valueAt } from "../json-schema/index.ts";
import type { Failure } from "./lifecycle.ts";

/** A free-form object that is to fit a release's schema. */
export interface Candidate {
  /** The input it comes from: `configs`, `metadata`, `data`. */
  property: string;
  schema: ReleaseSchema;
  /** What is declared of it; parts may be unknown yet. */
  declared: object;
  /** What the tenant has; `{}` for a new one, `undefined` where it has something that is not known here. */
  live: JsonObject | undefined;
  /** What the last inputs had of it: after a refresh, what was observed. With `ignoreChanges` it is declared again. */
  before?: object | undefined;
  removed?: readonly string[];
  /** Whether the tenant runs the release already: then what did not fit before is no news. */
  isSameRelease?: boolean;
}

/** A failure that knows its place key by key. */
export interface Misfit extends Failure {
  path: readonly string[];
}

/** What would not fit: what is declared, and with it what the tenant has. */
export function schemaFailures(candidate: Candidate): Misfit[] {
  const { property, schema, declared, live = {}, removed = [], before = {} } = candidate;
  const kept = Object.entries(live).filter(([key]) => !removed.includes(key));
  const whole = { ...Object.fromEntries(kept), ...declared };
  const problems = schema.problems(whole);
  if (problems.length === 0) return [];
  const known = candidate.isSameRelease
    ? new Set(schema.problems(live).map(({ fingerprint }) => fingerprint))
    : new Set();
  const isAsIn = (values: object, key: string) => isDeepStrictEqual(valueAt(declared, [key]), valueAt(values, [key]));
  const isNews = ({ path, fingerprint }: Problem) => {
    const [key = ""] = path;
    const isAsBefore = candidate.isSameRelease === true && isAsIn(before, key);
    const isDeclared = Object.hasOwn(declared, key) && !isAsIn(live, key) && !isAsBefore;
    if (isDeclared) return true;
    if (known.has(fingerprint) || candidate.live === undefined) return false;
    return !(Object.hasOwn(live, key) && schema.isHidden(path)); // it may come back masked
  };
  return problems.filter(isNews).map(({ path, message }) => {
    const isUndeclared = kept.some(([key]) => key === path[0]) && !Object.hasOwn(declared, path[0] ?? "");
    const whose = isUndeclared ? " (the tenant has it; it is not declared)" : "";
    const place = [property, ...path];
    return { path: place, property: formatPath(place), reason: `${message}${whose}` };
  });
}
