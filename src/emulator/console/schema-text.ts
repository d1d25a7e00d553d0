import { html } from "hono/html";
import { isJsonObject, type JsonObject } from "../rules/json.ts";
import type { Content, Html } from "./elements.ts";

/** A field of an object in a JSON Schema. */
export interface SchemaField {
  /** Where the field is, for example `status.auth.connectors[].name`. */
  readonly path: string;
  readonly type: Content;
  readonly isRequired: boolean;
  readonly notes: string;
}

/** The fields of a schema, each followed by the fields inside it. */
export function schemaFields(schema: unknown, path = ""): SchemaField[] {
  if (!isJsonObject(schema)) return [];
  const inside = [...alternatives(schema), schema.items].flatMap((part) =>
    schemaFields(part, part === schema.items ? `${path}[]` : path),
  );
  if (!isJsonObject(schema.properties)) return inside;
  const required = new Set(Array.isArray(schema.required) ? schema.required : []);
  return Object.entries(schema.properties).flatMap(([name, field]) => {
    const fieldPath = path === "" ? name : `${path}.${name}`;
    const described = { type: schemaType(field), isRequired: required.has(name), notes: schemaNotes(field) };
    return [{ path: fieldPath, ...described }, ...schemaFields(field, fieldPath)];
  });
}

/** The type of a schema in words. A reference to another schema is a link to it. */
export function schemaType(schema: unknown): Content {
  if (!isJsonObject(schema)) return "any value";
  const { $ref, type, items, prefixItems, properties, additionalProperties } = schema;
  if (typeof $ref === "string") return schemaLink($ref.slice($ref.lastIndexOf("/") + 1));
  if (Array.isArray(schema.enum))
    return html`${joined(schema.enum.map((value) => html`<code>${String(value)}</code>`))}`;
  if (alternatives(schema).length > 0) return joined(alternatives(schema).map(schemaType));
  if (Array.isArray(type)) return type.join(" or ");
  if (type === "array")
    return Array.isArray(prefixItems) ? `list of ${prefixItems.length}` : html`list of ${schemaType(items)}`;
  if (type !== "object") return typeof type === "string" ? type : "any value";
  if (isJsonObject(properties)) return "object";
  const isAny = !isJsonObject(additionalProperties) || Object.keys(additionalProperties).length === 0;
  return isAny ? "any object" : html`object of ${schemaType(additionalProperties)}`;
}

/** A link to the description of a schema on the same page. */
export function schemaLink(name: string): Html {
  return html`<a href="#schema-${name}">${name}</a>`;
}

/** What a schema says besides its type: description, default, limits, examples. */
export function schemaNotes(schema: unknown): string {
  if (!isJsonObject(schema)) return "";
  const own = Object.entries(noteTexts).flatMap(([keyword, text]) => {
    const value = schema[keyword];
    return value === undefined || isBoundOfIntegers(value) ? [] : [text(value)];
  });
  return [...own, ...alternatives(schema).map(schemaNotes)].filter((note) => note !== "").join("; ");
}

const noteTexts: Readonly<Record<string, (value: unknown) => string>> = {
  description: String,
  default: (value) => (value === "" ? "default: empty" : `default ${JSON.stringify(value)}`),
  minimum: (value) => `at least ${value}`,
  maximum: (value) => `at most ${value}`,
  minLength: (value) => (value === 1 ? "not empty" : `at least ${value} characters`),
  maxLength: (value) => `at most ${value} characters`,
  pattern: (value) => `matches ${value}`,
  examples: (value) => (Array.isArray(value) ? `for example ${value.join(", ")}` : ""),
};

/** Whether a limit only says that JavaScript represents the integer exactly. */
function isBoundOfIntegers(value: unknown): boolean {
  return value === Number.MAX_SAFE_INTEGER || value === Number.MIN_SAFE_INTEGER;
}

function alternatives({ anyOf }: JsonObject): readonly unknown[] {
  return Array.isArray(anyOf) ? anyOf : [];
}

function joined(parts: readonly Content[]): Html {
  return html`${parts.map((part, index) => html`${index === 0 ? "" : " or "}${part}`)}`;
}
