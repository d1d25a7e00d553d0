import { isDeepStrictEqual } from "node:util";
import { isJsonObject, type JsonObject, type JsonValue, withoutInexactNumbers } from "../api/index.ts";
import type { ReleaseSchema } from "../json-schema/index.ts";
import { hasMask } from "../resources/masks.ts";
import { isSecretName, isSecretText } from "./secret-looks.ts";

/** A key that is not written out, so that `up` leaves it alone. */
export interface LeftOut {
  /** `configs.api_token`, `schedule`. */
  path: string;
  reason: "looks like a secret" | "cannot be declared" | "is no longer among the integration's releases";
}

/**
 * The keys of `configs` or `metadata` that a stack can declare as they are. A key is managed whole, so one that holds a
 * secret anywhere (by the schema, by its name or by its form), or a value that the engine would take for a secret or
 * cannot carry (a number beyond a double), is left out whole.
 */
export function portable(
  property: "configs" | "metadata",
  live: JsonObject,
  schema: ReleaseSchema,
): { kept: JsonObject; leftOut: LeftOut[] } {
  const kept: JsonObject = {};
  const leftOut: LeftOut[] = [];
  const exact = withoutInexactNumbers(live);
  for (const [key, value] of Object.entries(live)) {
    const path = `${property}.${key}`;
    if (hasMask(value) || hasSecret(value, [key], schema)) leftOut.push({ path, reason: "looks like a secret" });
    else if (isLost(value) || !isDeepStrictEqual(value, exact[key]))
      leftOut.push({ path, reason: "cannot be declared" });
    else kept[key] = value;
  }
  if (!looksEncrypted(kept)) return { kept, leftOut };
  return { kept: {}, leftOut: [...leftOut, { path: `${property}.secure`, reason: "cannot be declared" }] };
}

function hasSecret(value: JsonValue, path: readonly string[], schema: ReleaseSchema): boolean {
  if (value === null || typeof value === "boolean") return schema.isHidden(path);
  if (schema.isHidden(path) || isSecretName(path.at(-1) ?? "")) return true;
  if (typeof value === "string") return isSecretText(value);
  if (typeof value !== "object") return false;
  return Object.entries(value).some(([key, item]) => hasSecret(item, [...path, key], schema));
}

/**
 * An object with the one key `secure` is an encrypted value to the engine. Null is none of those: from YAML, at any depth
 * and in lists, it reaches the platform as null, stays in the state, and makes no difference to the next `up` (seen on
 * engine 3.259; test/engine/nulls.test.ts).
 */
function isLost(value: JsonValue): boolean {
  if (typeof value !== "object" || value === null) return false;
  return looksEncrypted(value) || Object.values(value).some(isLost);
}

function looksEncrypted(value: JsonValue): boolean {
  return isJsonObject(value) && Object.keys(value).length === 1 && typeof value.secure === "string";
}
