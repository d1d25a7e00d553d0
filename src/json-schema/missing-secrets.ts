import type { ErrorObject } from "ajv";
import { mayBelongTo, mayBelongToBranch } from "./choices.ts";
import { missingKeywords, readErrors, type Validated } from "./schema-violation.ts";
import type { SchemaViolation } from "./violation-message.ts";

/** A secret that a value lacks. */
export interface MissingSecret {
  path: readonly string[];
  /**
   * `always`: the schema requires it. `one of several`: the value fits none of several shapes, and one that it may have requires it.
   * `undecided`: the same, but an unknown part of the value may decide that it needs none.
   */
  isRequired: "always" | "one of several" | "undecided";
}

/** The secrets that a value lacks, by the errors of a validation. */
export function missingSecretsFrom(
  errors: readonly ErrorObject[],
  validated: Validated & { isSecret: (path: readonly string[]) => boolean },
): MissingSecret[] {
  const { violations, unclear, undecided } = readErrors(errors, validated);
  const shapes = violations.filter(({ keyword }) => keyword === "anyOf" || keyword === "oneOf");
  const isMissingSecret = ({ keyword, path }: SchemaViolation) =>
    missingKeywords.has(keyword) && validated.isSecret(path);
  /** Whether a violation shows that a value does not have a shape: reads may leave out only secrets. */
  const rulesOut = (choice: SchemaViolation, branch: ReadonlySet<object>, one: SchemaViolation) => {
    if (!shownKeywords.has(one.keyword) || unclear.has(one) || isMissingSecret(one)) return false;
    const own = choice.branches?.filter((other) => mayBelongToBranch(choice, other, one)) ?? [];
    const isInside = shapes.some((other) => mayBelongToBranch(choice, branch, other) && mayBelongTo(other, one));
    return own.length === 1 && own[0] === branch && !isInside;
  };
  const mayRequire = (choice: SchemaViolation, missing: SchemaViolation) =>
    choice.branches?.some(
      (branch) =>
        mayBelongToBranch(choice, branch, missing) && !violations.some((one) => rulesOut(choice, branch, one)),
    ) === true;
  return violations.filter(isMissingSecret).flatMap((missing): MissingSecret[] => {
    const { path } = missing;
    const ofShape = shapes.filter((choice) => mayBelongTo(choice, missing));
    if (!ofShape.every((choice) => mayRequire(choice, missing))) return [];
    if (undecided.some((choice) => mayBelongTo(choice, missing))) return [{ path, isRequired: "undecided" }];
    return [{ path, isRequired: ofShape.length > 0 ? "one of several" : "always" }];
  });
}

/** What breaks these rules is shown by reads, unless it is a missing secret. */
const shownKeywords = new Set(["const", "enum", "type", "required", "additionalProperties"]);
