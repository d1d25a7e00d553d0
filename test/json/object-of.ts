import { isJsonObject, type JsonObject } from "../../src/json/json-value.ts";
import { parseJson } from "../../src/json/parse-json.ts";

/** A parsed object, which remembers how its numbers were written. */
export function objectOf(json: string): JsonObject {
  const parsed = parseJson(json);
  if (!parsed.isJson || !isJsonObject(parsed.value)) throw new Error(`no object: ${json}`);
  return parsed.value;
}
