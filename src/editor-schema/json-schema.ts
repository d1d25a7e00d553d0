import { z } from "zod";
import { freeFormSchema } from "../inputs/input-schema.ts";
import { declaredObjectSchema } from "../secrets/declared-object.ts";
import type { KeyDocumentation } from "./documentation.ts";

/** A JSON Schema of draft 7, which editors support best. */
export type JsonSchema = { readonly [keyword: string]: unknown };

/** The properties of an object, by key. */
export type Properties = Readonly<Record<string, JsonSchema>>;

/**
 * An object with the keys of a zod schema and nothing else, each with its documentation.
 *
 * @param own the schemas of keys for which the one that zod makes is not right.
 */
export function documentedObject(
  { shape }: z.ZodObject<Record<string, z.ZodType>>,
  documentation: Readonly<Record<string, KeyDocumentation>>,
  own: Properties = {},
): JsonSchema {
  const properties = Object.entries(shape).map(([key, schema]) => [
    key,
    { ...(own[key] ?? jsonSchemaOf(schema)), ...documentation[key] },
  ]);
  const required = Object.entries(shape).flatMap(([key, schema]) => (schema.isOptional() ? [] : [key]));
  return {
    type: "object",
    properties: Object.fromEntries(properties),
    ...(required.length > 0 && { required }),
    additionalProperties: false,
  };
}

/** The JSON Schema of a zod schema. Checks that only code can do are not part of it. */
export function jsonSchemaOf(schema: z.ZodType): JsonSchema {
  const { $schema: _, ...json } = z.toJSONSchema(schema, {
    target: "draft-7",
    io: "input",
    unrepresentable: "any",
    override: ({ zodSchema, jsonSchema }) => {
      if (zodSchema === freeFormSchema || zodSchema === declaredObjectSchema) jsonSchema.type = "object";
      // These bounds say only that JavaScript holds the number.
      if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
      if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
    },
  });
  return json;
}

/** A reference to one of the definitions of the document. */
export function definition(name: string): JsonSchema {
  return { $ref: `#/$defs/${name}` };
}

/** An object whose keys are names that a user chooses. */
export function byKey(entry: JsonSchema): JsonSchema {
  return { type: ["object", "null"], additionalProperties: entry };
}

/** A value of configs or metadata: it may also be encrypted, or a reference to a secret. */
export function orSecretOrReference(schema: JsonSchema): JsonSchema {
  return { anyOf: [schema, definition("secret"), definition("reference")] };
}

/** A value, or a list of such values. */
export function oneOrMore(schema: JsonSchema): JsonSchema {
  return { anyOf: [schema, { type: "array", items: schema }] };
}

/** A value that may also be encrypted. */
export function orSecret(schema: JsonSchema): JsonSchema {
  return { anyOf: [schema, definition("secret")] };
}
