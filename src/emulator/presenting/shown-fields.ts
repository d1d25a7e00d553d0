import { isDeepStrictEqual } from "node:util";
import type { Variants } from "../variants.ts";

/** The fields of the specification that hold a string or null. */
const stringFields = new Set([
  ...["created_date", "modified_date", "last_change", "user_schedule", "schedule", "integration_release_channel"],
  ...["default_release_channel", "repository_path", "repository_tracking_branch", "repository_url", "run_command"],
  ...["tag", "branch", "description", "flag_color"],
]);

/**
 * The fields of a record as the variants `nullStrings`, `nulls` and `defaults` show them. Looks at the fields
 * themselves, not inside them.
 *
 * @param defaults the values that the specification gives to absent fields.
 */
export function shownFields<Fields extends object>(
  { nullStrings, nulls, defaults: shownDefaults }: Pick<Variants, "nullStrings" | "nulls" | "defaults">,
  fields: Fields,
  defaults: object = {},
): Partial<Fields> {
  const isWithoutDefaults = shownDefaults === "absent";
  const meansNothing = new Map<string, unknown>(isWithoutDefaults ? Object.entries(defaults) : []);
  const kept: Partial<Fields> = { ...fields };
  for (const key in kept) {
    const value = kept[key];
    if (value === null && nullStrings === "empty" && stringFields.has(key)) Object.assign(kept, { [key]: "" });
    else if (value === null && (nulls === "absent" || isWithoutDefaults)) delete kept[key];
    else if (meansNothing.has(key) && isDeepStrictEqual(value, meansNothing.get(key))) delete kept[key];
  }
  return kept;
}
