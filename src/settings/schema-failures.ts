import { isDeepStrictEqual } from "node:util";
import type { Failure } from "../inputs/input-schema.ts";
import type { JsonObject } from "../json/json-value.ts";
import { formatPath, valueAt } from "../json/key-path.ts";
import type { DynamicConfigs, ReleaseSchema, SchemaViolation } from "../json-schema/index.ts";
import { checkableForm } from "../secrets/secret-table.ts";
import { withNumbersOfReads } from "./numbers-of-reads.ts";
import { reportedViolation, type SchemaViolations } from "./schema-violations.ts";
import { splitViolations } from "./split-violations.ts";

/** A free-form object to validate against a release's schema. */
export interface Candidate {
  /** The input it comes from: `configs`, `metadata`, `data`. */
  property: string;
  schema: ReleaseSchema;
  /** The declared keys. Values may still be unknown in a preview. */
  declared: object;
  /** The live object: `{}` for a new tenant, `undefined` if it was not read. */
  live: JsonObject | undefined;
  /** The tenant's `status.dynamic_configs`. Absent if it has none yet. */
  dynamicConfigs?: DynamicConfigs;
  /** What a violation is. */
  schemaViolations: SchemaViolations;
  /** Whether the tenant does not exist yet. An existing one may have secrets that reads hide. */
  isNew?: boolean;
  /** The schema of the release that the tenant runs, which marks the secrets that it may have. Absent if it is not known. */
  runs?: ReleaseSchema | undefined;
  /** The previous inputs; after a refresh, the observed values. With `ignoreChanges` they are declared again. */
  before?: object | undefined;
  /** Keys that were declared before and no longer are. */
  removed?: readonly string[];
  /** Whether the tenant already runs this release. If so, violations that existed before are not reported again. */
  isSameRelease?: boolean;
}

/** A failure with its path as a list of keys. A warning stops nothing. */
export interface SchemaFailure extends Failure, Pick<SchemaViolation, "severity"> {
  path: readonly string[];
}

/**
 * The failures that are errors. Tells the user about the others.
 *
 * @param who what has them, such as `tenant "acme"`.
 */
export function errorsAmong(
  failures: readonly SchemaFailure[],
  who: string,
  warn: (message: string) => void,
): SchemaFailure[] {
  for (const { property, reason, severity } of failures) {
    if (severity === "warning") warn(`${who}: ${property}: ${reason}`);
  }
  return failures.filter(({ severity }) => severity === "error");
}

/** How a key that nobody declares, such as a default that the platform has filled in, leaves the tenant. */
const toRemove =
  ". To remove it, declare it with the value that it has, run up, and then remove it together with this change";

/** The violations that the declared keys, merged into the live object, newly cause. */
export function schemaFailures(candidate: Candidate): SchemaFailure[] {
  const { property, schema, live = {}, removed = [], before = {}, dynamicConfigs, schemaViolations } = candidate;
  const declared = withNumbersOfReads(candidate.declared, live, { schema, form: "rounded" });
  const kept = Object.entries(live).filter(([key]) => !removed.includes(key));
  const whole = { ...Object.fromEntries(kept), ...checkableForm(declared) };
  const problems = schema.violations(whole, dynamicConfigs);
  if (problems.length === 0) return [];
  const known = candidate.isSameRelease
    ? new Set(schema.violations(live, dynamicConfigs).map(({ fingerprint }) => fingerprint))
    : new Set();
  const isAsIn = (values: object, path: readonly string[]) =>
    isDeepStrictEqual(valueAt(declared, path), valueAt(values, path));
  const isPartAsBefore = (path: readonly string[]) => valueAt(before, path) !== undefined && isAsIn(before, path);
  const { isNew = false, runs = schema } = candidate;
  const isHidden = (path: readonly string[]) =>
    !isNew && !removed.includes(path[0] ?? "") && schema.isHidden(path) && runs.isHidden(path);
  const certain = new Set(splitViolations(problems, whole, { isHidden, namesAt: schema.namesAt }).certain);
  const isNews = (violation: SchemaViolation) => {
    const { path, fingerprint } = violation;
    const [key = ""] = path;
    const isAsBefore = candidate.isSameRelease === true && (isAsIn(before, [key]) || isPartAsBefore(path));
    const isDeclared = Object.hasOwn(declared, key) && !isAsIn(live, [key]) && !isAsBefore;
    if (isDeclared) return true;
    if (known.has(fingerprint) || candidate.live === undefined) return false;
    // the live value may be a mask
    return certain.has(violation) && !(Object.hasOwn(live, key) && schema.isHidden(path));
  };
  return problems.filter(isNews).flatMap(({ path, message, keyword, severity }) => {
    const isUndeclared = kept.some(([key]) => key === path[0]) && !Object.hasOwn(declared, path[0] ?? "");
    const remedy = keyword === "additionalProperties" && path.length === 1 ? toRemove : "";
    const whose = isUndeclared ? ` (the tenant has it; it is not declared${remedy})` : "";
    const place = [property, ...path];
    return reportedViolation({ message: `${message}${whose}`, severity }, schemaViolations).map((reported) => {
      return { path: place, property: formatPath(place), reason: reported.message, severity: reported.severity };
    });
  });
}
