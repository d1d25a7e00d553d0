import type { JsonObject } from "../entities/json.ts";
import type { ReleaseRecord } from "../entities/release.ts";
import { InvalidRequest } from "../http/problems.ts";
import type { Platform } from "../platform.ts";
import { roundedNumbers } from "../rules/kept-numbers.ts";

/**
 * Configs as the platform will keep them under a release: checked, its schema's defaults filled in (see the variant
 * `schemaDefaults`), its numbers rounded in the variant `numbers=rounded`.
 *
 * @throws InvalidRequest with every problem, each under `["body", "configs", ...]`.
 */
export function checkConfigs(platform: Platform, release: ReleaseRecord | undefined, configs: JsonObject): JsonObject {
  return check(platform, release?.config_schema ?? null, configs, ["body", "configs"]);
}

/**
 * The same for metadata, whose body is the metadata itself.
 *
 * @throws InvalidRequest with every problem, each under `["body", ...]`.
 */
export function checkMetadata(platform: Platform, release: ReleaseRecord | undefined, data: JsonObject): JsonObject {
  return check(platform, release?.metadata_schema ?? null, data, ["body"]);
}

function check(platform: Platform, schema: JsonObject | null, value: JsonObject, loc: readonly string[]): JsonObject {
  const fillDefaults = platform.variants.schemaDefaults === "fill";
  const kept = platform.variants.numbers === "kept" ? value : roundedNumbers(value);
  const checked = platform.schemas.check(schema, kept, { fillDefaults, loc });
  if (checked.problems.length > 0) throw new InvalidRequest(checked.problems);
  return checked.value;
}
