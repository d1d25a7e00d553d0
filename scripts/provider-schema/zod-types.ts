import type { z } from "zod";
import { type JsonSchema, jsonSchemaOf } from "../../src/editor-schema/json-schema.ts";
import { freeForm, type TypeSpec, typeNamed } from "./package-spec.ts";

/** The enums of the schema, by the name of the property whose values they list. */
const enumNames: Readonly<Record<string, string>> = {
  mode: "SyncMode",
  whenUnconnected: "WhenUnconnected",
  outcome: "SyncOutcome",
  channel: "ReleaseChannel",
  onFailure: "OnFailure",
  phase: "RolloutPhase",
  schemaViolations: "SchemaViolations",
};

/** The Pulumi type of a zod schema without nested objects, which are types of their own. */
export function typeOfZod(property: string, schema: z.ZodType): TypeSpec {
  return typeOfJsonSchema(property, jsonSchemaOf(schema));
}

/** The values of an enum of strings. */
export function enumValuesOf(schema: z.ZodEnum): string[] {
  return schema.options.map(String);
}

function typeOfJsonSchema(property: string, schema: JsonSchema): TypeSpec {
  if (schema.anyOf !== undefined) return unionOf(property, schemasIn(schema.anyOf));
  if (Array.isArray(schema.enum)) return enumType(property);
  switch (schema.type) {
    case "string":
    case "boolean":
    case "integer":
    case "number":
      return { type: schema.type };
    case "array":
      return { type: "array", items: typeOfJsonSchema(property, Object(schema.items)) };
    case "object": {
      if (schema.additionalProperties === undefined) return freeForm;
      return { type: "object", additionalProperties: typeOfJsonSchema(property, Object(schema.additionalProperties)) };
    }
    default:
      throw new Error(`${property}: no Pulumi type for ${JSON.stringify(schema)}`);
  }
}

/** A union of plain types. The words of an enum in it are strings, as no SDK has unions of three types with an enum. */
function unionOf(property: string, members: readonly JsonSchema[]): TypeSpec {
  const types = members.map((member) => ({
    type: String(typeof member.const === "boolean" ? "boolean" : member.type),
  }));
  if (types.some(({ type }) => !["string", "boolean", "integer", "number"].includes(type)))
    throw new Error(`${property}: no Pulumi type for a union of ${JSON.stringify(members)}`);
  return { oneOf: types };
}

function enumType(property: string): TypeSpec {
  const name = enumNames[property];
  if (name === undefined) throw new Error(`${property}: its enum needs a name in enumNames`);
  return typeNamed(name);
}

function schemasIn(list: unknown): JsonSchema[] {
  return Array.isArray(list) ? list.map(Object) : [];
}
