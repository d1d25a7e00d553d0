import type { Failure } from "../inputs/input-schema.ts";
import { formatPath } from "../json/key-path.ts";
import { schemeProblem } from "../secrets/builtin.ts";
import type { SecretValues } from "../secrets/secret-values.ts";
import { referencesIn } from "../secrets/walk.ts";

/** The references to secrets in an input that no resolver can resolve. */
export function referenceFailures(
  { secretValues }: { secretValues: SecretValues },
  property: string,
  declared: object | undefined,
): Failure[] {
  return referencesIn(declared).flatMap(({ path, reference }) => {
    const reason = schemeProblem(reference, secretValues.schemes);
    return reason === undefined ? [] : [{ property: formatPath([property, ...path]), reason }];
  });
}
