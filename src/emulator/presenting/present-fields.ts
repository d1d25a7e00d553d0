import { isDeepStrictEqual } from "node:util";
import type { Variants } from "../variants.ts";

/** The fields of the specification whose type is a string or null. */
const stringFields = new Set([
  ...["created_date", "modified_date", "last_change", "user_schedule", "schedule", "integration_release_channel"],
  ...["default_release_channel", "repository_path", "repository_tracking_branch", "repository_url", "run_command"],
  ...["source", "tag", "branch", "description", "flag_color"],
]);

/**
 * The fields of a record, as the variants `nullStrings`, `nulls` and `defaults` show them. Nested objects stay as they are.
 *
 * @param defaults the values that the specification gives to absent fields.
 */
export function presentFields<Fields extends object>(
  { nullStrings, nulls, defaults: defaultsVariant }: Pick<Variants, "nullStrings" | "nulls" | "defaults">,
  fields: Fields,
  defaults: object = {},
): Partial<Fields> {
  const hidesDefaults = defaultsVariant === "absent";
  const hiddenValues = new Map<string, unknown>(hidesDefaults ? Object.entries(defaults) : []);
  const shown: Partial<Fields> = { ...fields };
  for (const key in shown) {
    const value = shown[key];
    if (value === null && nullStrings === "empty" && stringFields.has(key)) Object.assign(shown, { [key]: "" });
    else if (value === null && (nulls === "absent" || hidesDefaults)) delete shown[key];
    else if (hiddenValues.has(key) && isDeepStrictEqual(value, hiddenValues.get(key))) delete shown[key];
  }
  return shown;
}
