import { describe, test } from "vitest";
import { defaultVariants, type Variants } from "../../../src/emulator/index.ts";
import { changeVariants } from "../../../src/emulator/variants.ts";

/**
 * Declares one test for each value of a variant. A value without a case does not compile, and `coverage.test.ts` fails for
 * a variant without a call of this function.
 *
 * @param cases what `check` needs to know for each value.
 * @param check the test. It gets the default variants with this value.
 */
export function forEachValue<Name extends keyof Variants, Case>(
  name: Name,
  cases: Readonly<Record<Variants[Name], unknown>> & Readonly<Record<string, Case>>,
  check: (variants: Variants, expected: Case) => Promise<void>,
): void {
  describe(`the variant ${name}`, () => {
    test.each(Object.entries<Case>(cases))("%s", async (value, expected) => {
      await check(changeVariants(defaultVariants, { [name]: value }), expected);
    });
  });
}
