import { isDeepStrictEqual } from "node:util";
import type { Variants } from "../variants.ts";

/**
 * The fields of a record, as the variant `defaults` shows them. Nested objects stay as they are.
 *
 * @param defaults the values that the specification gives to absent fields.
 */
export function presentFields<Fields extends object>(
  variants: Pick<Variants, "defaults">,
  fields: Fields,
  defaults: object = {},
): Partial<Fields> {
  if (variants.defaults === "present") return fields;
  const hiddenValues = new Map<string, unknown>(Object.entries(defaults));
  const shown: Partial<Fields> = { ...fields };
  for (const key in shown) {
    const value = shown[key];
    if (value === null || (hiddenValues.has(key) && isDeepStrictEqual(value, hiddenValues.get(key)))) delete shown[key];
  }
  return shown;
}
