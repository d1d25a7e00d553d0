import { isJsonObject, type JsonObject } from "./json.ts";

/** How a PATCH changes a free-form object; see the variants `configs` and `metadata`. */
export type PatchMode = "replace" | "merge" | "merge-patch";

/** The object after a PATCH. */
export function applyPatch(mode: PatchMode, current: JsonObject, patch: JsonObject): JsonObject {
  if (mode === "replace") return patch;
  if (mode === "merge") return { ...current, ...patch };
  return mergePatch(current, patch);
}

/** RFC 7396: null removes a key, objects are merged recursively, and any other value replaces the old one. */
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
