import type { JsonObject } from "../entities/json.ts";
import { maskSecrets } from "../rules/masking.ts";
import type { Variants } from "../variants.ts";

/** Configs or metadata as the API shows them: their secrets are hidden as the variant `maskedConfigs` says. */
export function presentValues({ maskedConfigs }: Variants, schema: unknown, values: JsonObject): JsonObject {
  return maskedConfigs === "no" ? values : maskSecrets(schema, values, maskedConfigs);
}
