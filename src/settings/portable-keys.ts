import { isDeepStrictEqual } from "node:util";
import { isJsonObject, type JsonObject, type JsonValue } from "../json/json-value.ts";
import { withoutInexactNumbers } from "../json/number-sources.ts";
import type { ReleaseSchema } from "../json-schema/index.ts";
import { hasMask } from "./masks.ts";
import { isSecretName, isSecretValue } from "./secret-detection.ts";
import type { LeftOut } from "./setting.ts";

/**
 * The keys of metadata in which `integration-platform try` keeps who has a test tenant, and which builds it has asked for. No stack
 * declares them.
 */
export const tryKeys = { loan: "integrationPlatformTry", builds: "integrationPlatformTryBuilds" } as const;

/**
 * Splits the keys of `configs` or `metadata` into those that a stack can declare with their live values and those that
 * are left out. A stack manages the whole value of a key, so a key is left out if any part of its value
 * - is a secret, by the release's schema, by its name or by its form,
 * - would be read by Pulumi as an encrypted value,
 * - has half of a character, which no file and no process can pass on, or
 * - is a number that a double cannot hold exactly.
 *
 * {@link tryKeys} are in neither.
 */
export function portableKeys(
  setting: string,
  live: JsonObject,
  schema: ReleaseSchema,
): { kept: JsonObject; leftOut: LeftOut[] } {
  const kept: JsonObject = {};
  const leftOut: LeftOut[] = [];
  const exact = withoutInexactNumbers(live);
  for (const [key, value] of Object.entries(live)) {
    if (key === tryKeys.loan || key === tryKeys.builds) continue;
    const path = [setting, key];
    if (hasMask(value) || hasSecret(value, [key], schema)) leftOut.push({ path, reason: "looks like a secret" });
    else if (hasEncryptedForm(value) || hasHalfCharacter(key, value) || !isDeepStrictEqual(value, exact[key]))
      leftOut.push({ path, reason: "cannot be declared" });
    else kept[key] = value;
  }
  if (!isEncryptedForm(kept)) return { kept, leftOut };
  return { kept: {}, leftOut: [...leftOut, { path: [setting, "secure"], reason: "cannot be declared" }] };
}

/** Whether a value is, or contains, what a release's schema calls a secret, or what looks like one by its name or its form. */
export function hasSecret(value: JsonValue, path: readonly string[], schema: ReleaseSchema): boolean {
  if (value === null || typeof value === "boolean") return schema.isHidden(path);
  if (schema.isHidden(path) || isSecretName(path.at(-1) ?? "")) return true;
  if (typeof value === "string") return isSecretValue(value);
  if (typeof value !== "object") return false;
  return Object.entries(value).some(([key, item]) => hasSecret(item, [...path, key], schema));
}

/** Whether Pulumi would read a part of the value as an encrypted value. Null is safe: see test/engine/nulls.test.ts. */
function hasEncryptedForm(value: JsonValue): boolean {
  if (typeof value !== "object" || value === null) return false;
  return isEncryptedForm(value) || Object.values(value).some(hasEncryptedForm);
}

function hasHalfCharacter(key: string, value: JsonValue): boolean {
  if (!key.isWellFormed()) return true;
  if (typeof value === "string") return !value.isWellFormed();
  if (typeof value !== "object" || value === null) return false;
  return Object.entries(value).some(([inner, item]) => hasHalfCharacter(inner, item));
}

/** Pulumi reads an object whose only key is `secure` as an encrypted value. */
function isEncryptedForm(value: JsonValue): boolean {
  return isJsonObject(value) && Object.keys(value).length === 1 && typeof value.secure === "string";
}
