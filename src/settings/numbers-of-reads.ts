import type { JsonObject } from "../json/json-value.ts";
import { withInexactNumbers } from "../json/number-sources.ts";
import type { ReleaseSchema } from "../json-schema/index.ts";

interface Options {
  schema: ReleaseSchema;
  /** `"raw"` for a request, which then has each number as it was read; `"rounded"` for a check. */
  form: "raw" | "rounded";
}

/**
 * The declared object with numbers in place of strings that stand for them: a read shows a number that JavaScript cannot hold as a
 * string, and the resource option `ignoreChanges` declares what a read has shown. If the schema wants strings there, they stay.
 */
export function withNumbersOfReads<Declared extends object>(
  declared: Declared,
  live: JsonObject,
  { schema, form }: Options,
): Declared {
  const rounded = withInexactNumbers(declared, live, "rounded");
  if (rounded === declared) return declared;
  const wantsStrings = schema.violations(rounded).length > schema.violations(declared).length;
  return wantsStrings ? declared : withInexactNumbers(declared, live, form);
}
