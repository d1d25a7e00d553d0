import { isJsonObject, type JsonObject } from "../rules/json.ts";
import { mask } from "../rules/mask-secrets.ts";

/**
 * Configs that somebody edited while their secrets were masked. A value that was masked, and still reads `***`, gets its
 * current value back.
 *
 * @param shown `current` with its secrets masked, as the form showed it.
 */
export function unmask(current: JsonObject, shown: JsonObject, edited: JsonObject): JsonObject {
  const result = unmaskValue(current, shown, edited);
  return isJsonObject(result) ? result : edited;
}

function unmaskValue(current: unknown, shown: unknown, edited: unknown): unknown {
  if (edited === mask && shown === mask) return current;
  if (Array.isArray(edited) && Array.isArray(current) && Array.isArray(shown)) {
    return edited.map((item, index) => unmaskValue(current[index], shown[index], item));
  }
  if (!isJsonObject(edited) || !isJsonObject(current) || !isJsonObject(shown)) return edited;
  return Object.fromEntries(
    Object.entries(edited).map(([key, item]) => [key, unmaskValue(own(current, key), own(shown, key), item)]),
  );
}

function own(object: JsonObject, key: string): unknown {
  return Object.hasOwn(object, key) ? object[key] : undefined;
}
