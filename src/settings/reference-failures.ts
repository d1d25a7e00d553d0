import type { Failure } from "../inputs/input-schema.ts";
import { formatPath } from "../json/key-path.ts";
import { schemeProblem } from "../secrets/builtin.ts";
import { referenceKey } from "../secrets/reference.ts";
import { type ResolvingContext, referencesOf, tableOf } from "../secrets/secret-table.ts";
import type { SecretValues } from "../secrets/secret-values.ts";
import { referencesIn } from "../secrets/walk.ts";

/** The references to secrets in an input that no resolver can resolve. */
export function referenceFailures(
  { secretValues }: { secretValues: SecretValues },
  property: string,
  declared: object | undefined,
): Failure[] {
  return referencesIn(declared, []).flatMap(({ path, reference }) => {
    const reason = schemeProblem(reference, secretValues.schemes);
    return reason === undefined ? [] : [{ property: formatPath([property, ...path]), reason }];
  });
}

/**
 * Warns about declared references that have no value now and that the last `up` did not have: nothing is compared with them before
 * a write, which will fail.
 *
 * @param declared the declared settings, by name.
 * @param before those of the state.
 */
export async function warnOfNewReferences(context: ResolvingContext, declared: object, before: object): Promise<void> {
  const known = new Set(referencesOf(before).map(referenceKey));
  const added = referencesOf(declared).filter((reference) => !known.has(referenceKey(reference)));
  await tableOf(context, added).load();
}
