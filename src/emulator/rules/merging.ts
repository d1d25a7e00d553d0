import { isJsonObject, type JsonObject } from "../entities/json.ts";

/** What a PATCH does with a free-form object; see the variants `configs` and `metadata`. */
export type Merging = "replace" | "merge" | "merge-patch";

/** The object after a PATCH. */
export function applyPatch(merging: Merging, current: JsonObject, patch: JsonObject): JsonObject {
  if (merging === "replace") return patch;
  if (merging === "merge") return { ...current, ...patch };
  return mergePatch(current, patch);
}

/** RFC 7396: null removes, objects are merged all the way down, anything else takes the place of the old. */
function mergePatch(current: JsonObject, patch: JsonObject): JsonObject {
  const result = new Map(Object.entries(current));
  for (const [key, value] of Object.entries(patch)) {
    if (value === null) result.delete(key);
    else result.set(key, isJsonObject(value) ? mergePatch(asObject(result.get(key)), value) : value);
  }
  return Object.fromEntries(result);
}

function asObject(value: unknown): JsonObject {
  return isJsonObject(value) ? value : {};
}
