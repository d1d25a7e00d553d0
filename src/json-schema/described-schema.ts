import { isJsonObject, type JsonObject } from "../json/json-value.ts";
import { valueAt, withPart } from "../json/key-path.ts";
import { choiceKeyword } from "./dynamic-choices.ts";
import { type FormField, formFields } from "./form-fields.ts";
import { readableSchema } from "./readable-schema.ts";
import { schemaParts } from "./wrapped-schema.ts";

/**
 * The `config_schema` or `metadata_schema` of a release for an editor: a JSON Schema without placeholders, with the labels and
 * hints of the release's form as titles and descriptions.
 */
export function describedSchema(given: JsonObject): JsonObject {
  const { schema, uischema } = schemaParts(given);
  return formFields(uischema).reduce(withField, readableSchema(schema));
}

function withField(schema: JsonObject, { path, label, hint, isAdminOnly }: FormField): JsonObject {
  const place = path.flatMap((key) => ["properties", key]);
  const node = valueAt(schema, place);
  if (!isJsonObject(node)) return schema;
  const { title = label, description, [choiceKeyword]: definition } = node;
  const sentences = [
    description ?? hint,
    typeof definition === "string"
      ? `The tenant's options are in status.dynamic_configs.${definition} after an init sync.`
      : undefined,
    isAdminOnly ? "The customer does not see it." : undefined,
  ].filter((sentence) => sentence !== undefined);
  return withPart(schema, place, {
    ...node,
    ...(title === undefined ? {} : { title }),
    ...(sentences.length === 0 ? {} : { description: sentences.join(" ") }),
  });
}
