import type { ReleaseRecord } from "../entities/release.ts";
import type { Platform } from "../platform.ts";
import { checkAgainstSchema } from "../rules/check-against-schema.ts";
import type { JsonObject } from "../rules/json.ts";
import { roundedNumbers } from "../rules/json.ts";
import { InvalidRequest } from "../rules/problems.ts";

/**
 * Checks configs against the config schema of a release. Returns them as the platform stores them: with the schema's
 * defaults (see the variant `schemaDefaults`), and with rounded numbers in the variant `numbers=rounded`.
 *
 * @throws InvalidRequest with every problem, each under `["body", "configs", ...]`.
 */
export function checkConfigs(platform: Platform, release: ReleaseRecord | undefined, configs: JsonObject): JsonObject {
  return check(platform, release?.config_schema ?? null, configs, ["body", "configs"]);
}

/**
 * Checks metadata against the metadata schema of a release, like configs. The body is the metadata itself.
 *
 * @throws InvalidRequest with every problem, each under `["body", ...]`.
 */
export function checkMetadata(platform: Platform, release: ReleaseRecord | undefined, data: JsonObject): JsonObject {
  return check(platform, release?.metadata_schema ?? null, data, ["body"]);
}

function check(platform: Platform, schema: JsonObject | null, value: JsonObject, loc: readonly string[]): JsonObject {
  const fillDefaults = platform.variants.schemaDefaults === "fill";
  const stored = platform.variants.numbers === "rounded" ? roundedNumbers(value) : value;
  const acceptPlaceholders = platform.variants.placeholders === "accept";
  const checked = checkAgainstSchema(schema, stored, { fillDefaults, acceptPlaceholders, loc });
  if (checked.problems.length > 0) throw new InvalidRequest(checked.problems);
  return checked.value;
}
