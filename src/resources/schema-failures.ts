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
  removed?: readonly string[];
  /** Whether the tenant runs the release already: then what did not fit before is no news. */
  isSameRelease?: boolean;
}

/** What would not fit: what is declared, and with it what the tenant has. */
export function schemaFailures(candidate: Candidate): Failure[] {
  const { property, schema, declared, live = {}, removed = [] } = candidate;
  const kept = Object.entries(live).filter(([key]) => !removed.includes(key));
  const whole = { ...Object.fromEntries(kept), ...declared };
  const known = candidate.isSameRelease
    ? new Set(schema.problems(live).map(({ fingerprint }) => fingerprint))
    : new Set();
  const isNews = ({ path, fingerprint }: Problem) => {
    const [key = ""] = path;
    const isDeclared = Object.hasOwn(declared, key) && !isDeepStrictEqual(valueAt(declared, [key]), live[key]);
    if (isDeclared) return true;
    if (known.has(fingerprint) || candidate.live === undefined) return false;
    return !(key in live && schema.isHidden(path)); // it may come back masked
  };
  return schema
    .problems(whole)
    .filter(isNews)
    .map(({ path, message }) => {
      const isUndeclared = path[0] !== undefined && path[0] in live && !Object.hasOwn(declared, path[0]);
      const whose = isUndeclared ? " (the tenant has it; it is not declared)" : "";
      return { property: formatPath([property, ...path]), reason: `${message}${whose}` };
    });
}
