import { Ajv, type Options } from "ajv";
import { Ajv2019 } from "ajv/dist/2019.js";
import { Ajv2020 } from "ajv/dist/2020.js";
import draft6 from "ajv/dist/refs/json-schema-draft-06.json" with { type: "json" };
import type { JsonObject } from "./json.ts";

/**
 * A compiler of JSON Schemas of the draft that `$schema` names: 6, 7, 2019-09 or 2020-12; 7 where it names none. Each schema
 * needs its own compiler, because the schemas of two releases may have the same `$id`.
 */
export function ajvOf({ $schema }: JsonObject, options: Options): Ajv {
  const draft = String($schema);
  const settings = { allErrors: true, strict: false, logger: false, ownProperties: true, ...options } as const;
  if (draft.includes("2020-12")) return new Ajv2020(settings);
  if (draft.includes("2019-09")) return new Ajv2019(settings);
  const ajv = new Ajv(settings);
  return draft.includes("draft-06") ? ajv.addMetaSchema(draft6) : ajv;
}
