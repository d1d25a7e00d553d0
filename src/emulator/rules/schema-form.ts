import { isJsonObject, type JsonObject } from "./json.ts";

/** Keywords beside `schema` with which an object is a JSON Schema itself, and no wrapper. */
const schemaKeywords = ["type", "properties", "required", "$ref", "allOf", "anyOf", "oneOf", "additionalProperties"];

/** The JSON Schema of a release's `config_schema` or `metadata_schema`, which may be a wrapper `{ schema, uischema }`. */
export function jsonSchemaOf(given: JsonObject): JsonObject {
  const { schema } = given;
  return isJsonObject(schema) && !schemaKeywords.some((keyword) => keyword in given) ? schema : given;
}

/**
 * A JSON Schema that accepts every value, or none, at a reference to a placeholder definition, whose real options an `init` sync
 * finds: a definition with `enum: [placeholder]` or `oneOf: [{ title: Placeholder, const: placeholder }]`.
 */
export function withoutPlaceholders(schema: JsonObject): JsonObject {
  const placeholders = placeholdersIn(schema);
  const isChoice = (part: unknown) => isJsonObject(part) && placeholders.has(String(part.$ref));
  const accept = (part: unknown): unknown => {
    if (Array.isArray(part)) return part.map(accept);
    if (!isJsonObject(part)) return part;
    if (isChoice(part)) return {};
    const { properties, required } = part;
    const isRequired = (name: unknown) => !isChoice(Object(properties)[String(name)]);
    const own = Array.isArray(required) ? { ...part, required: required.filter(isRequired) } : part;
    return Object.fromEntries(Object.entries(own).map(([key, inner]) => [key, accept(inner)]));
  };
  const accepted = placeholders.size === 0 ? schema : accept(schema);
  return isJsonObject(accepted) ? accepted : schema;
}

/** A config whose options an `init` sync finds. */
export interface DynamicChoice {
  readonly key: string;
  /** What the form calls it. */
  readonly label: string;
  /** The name of the placeholder definition, under which a tenant's status has the options. */
  readonly definition: string;
  /** Whether several of the options can be chosen. */
  readonly isList: boolean;
}

/** The dynamic choices among the properties of a release's `config_schema`. */
export function dynamicChoices(given: JsonObject | null): DynamicChoice[] {
  if (given === null) return [];
  const schema = jsonSchemaOf(given);
  const placeholders = placeholdersIn(schema);
  return Object.entries(Object(schema.properties)).flatMap(([key, property]) => {
    const { $ref, items } = Object(property);
    const definition = placeholders.get(String($ref ?? Object(items).$ref));
    const label = labelOf(given.uischema, `#/properties/${key}`) ?? key;
    return definition === undefined ? [] : [{ key, label, definition, isList: $ref === undefined }];
  });
}

/** The label of the form's element for a place in the schema. */
function labelOf(element: unknown, scope: string): string | undefined {
  const { scope: own, label, elements } = Object(element);
  if (own === scope && typeof label === "string") return label;
  const inner: unknown[] = Array.isArray(elements) ? elements : [];
  return inner.map((one) => labelOf(one, scope)).find((found) => found !== undefined);
}

/** The names of the placeholder definitions, by what refers to them. */
function placeholdersIn(schema: JsonObject): ReadonlyMap<string, string> {
  return new Map(
    ["definitions", "$defs"].flatMap((keyword) =>
      Object.entries(Object(schema[keyword])).flatMap(([name, one]) =>
        isPlaceholder(one) ? [[`#/${keyword}/${name}`, name] as const] : [],
      ),
    ),
  );
}

function isPlaceholder(definition: unknown): boolean {
  if (!isJsonObject(definition)) return false;
  const { enum: values, oneOf } = definition;
  const options = Array.isArray(values) ? values : Array.isArray(oneOf) ? oneOf.map((one) => Object(one).const) : [];
  return options.length === 1 && options[0] === "placeholder";
}
