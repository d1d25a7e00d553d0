import { stackDocument } from "../../src/editor-schema/documents.ts";
import { namespace } from "../../src/stack/config/config-values.ts";
import { alternatives, anchor, code } from "./markdown.ts";

/** A JSON Schema, as far as those of a stack's YAML use it. */
export interface Schema {
  readonly type?: string | readonly string[];
  readonly $ref?: string;
  readonly description?: string;
  readonly default?: unknown;
  readonly examples?: readonly unknown[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean | Schema;
  readonly maxProperties?: number;
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly minimum?: number;
  readonly exclusiveMinimum?: number;
  readonly maximum?: number;
  readonly $defs?: Readonly<Record<string, Schema>>;
}

/** An object of the YAML, and the paths at which it may stand. */
export interface KeySection {
  readonly schema: Schema;
  readonly paths: readonly string[];
}

/** The objects below some keys, and the types of their keys. */
export interface Keys {
  readonly sections: readonly KeySection[];
  typeOf(schema: Schema): string;
}

/** The heading of the section about encrypted values. */
export const encryptedValues = "Encrypted values";

/** The schema of a stack's file. */
export const stackSchema = schemaOf(stackDocument());
/** The keys of the namespace `integration-platform`, without it. */
export const stackKeys: Readonly<Record<string, Schema>> = Object.fromEntries(
  Object.entries(stackSchema.properties?.config?.properties ?? {}).map(([key, schema]) => [
    key.replace(`${namespace}:`, ""),
    schema,
  ]),
);

/** A document of `src/editor-schema`. */
export function schemaOf(document: object): Schema {
  return JSON.parse(JSON.stringify(document));
}

/** The heading of a section, which is the first of its paths. */
export function headingOf({ paths: [path = ""] }: KeySection): string {
  return code(path);
}

/** The address on the page of the stack's YAML of the object at a path such as `fleets.<key>`. */
export function stackKeyAddress(path: string): string {
  const section = keysBelow({ properties: stackKeys }, stackSchema.$defs).sections.find(({ paths }) =>
    paths.includes(path),
  );
  if (section === undefined) throw new Error(`A stack's YAML has no object at ${path}.`);
  return `stack-yaml.md${anchor(headingOf(section))}`;
}

/** Finds the objects below a schema. Equal objects are one section, such as the `release` of tenants and of groups. */
export function keysBelow(root: Schema, definitions: Readonly<Record<string, Schema>> = {}): Keys {
  const found = new Map<string, { schema: Schema; paths: string[] }>();
  const definitionOf = ({ $ref = "" }: Schema) => $ref.replace("#/$defs/", "");

  function visit(schema: Schema, path: string): void {
    if (schema.$ref !== undefined) {
      const name = definitionOf(schema);
      if (valueNouns[name] === undefined) visit(definitions[name] ?? {}, path);
      return;
    }
    if (schema.properties !== undefined && path !== "") {
      const section = found.get(JSON.stringify(schema)) ?? { schema, paths: [] };
      found.set(JSON.stringify(schema), section);
      // A key whose value is one object or a list of them has one path.
      if (!section.paths.includes(path.replace(/\[\]$/, ""))) section.paths.push(path);
    }
    for (const one of schema.anyOf ?? []) visit(one, path);
    for (const [key, one] of Object.entries(schema.properties ?? {})) visit(one, path === "" ? key : `${path}.${key}`);
    if (schema.items !== undefined) visit(schema.items, `${path}[]`);
    if (typeof schema.additionalProperties === "object") {
      visit(schema.additionalProperties, path === "" ? "<key>" : `${path}.<key>`);
    }
  }

  /** What a value may be, as alternatives. */
  function typesOf(schema: Schema, isPlural: boolean): string[] {
    const counted = (noun: string) => (isPlural ? `${noun}s` : noun);
    if (schema.$ref !== undefined) {
      const name = definitionOf(schema);
      const noun = valueNouns[name];
      return noun === undefined ? typesOf(definitions[name] ?? {}, isPlural) : [noun(counted)];
    }
    if (schema.anyOf !== undefined) return schema.anyOf.flatMap((one) => typesOf(one, isPlural));
    if (schema.enum !== undefined) return schema.enum.map((value) => code(String(value)));
    if (schema.const !== undefined) return [code(String(schema.const))];
    const section = found.get(JSON.stringify(schema));
    if (section !== undefined) return [`[${counted("object")}](${anchor(headingOf(section))})`];
    const inner = schema.items ?? schema.additionalProperties;
    if (typeof inner === "object") {
      const noun = counted(schema.items === undefined ? "map" : "list");
      return [`${noun} of ${alternatives([...new Set(typesOf(inner, true))])}`];
    }
    const nouns = [schema.type ?? (isPlural ? "value" : "any value")].flat().filter((type) => type !== "null");
    return nouns.map((noun) => `${counted(noun)}${rangeOf(schema)}`);
  }

  visit(root, "");
  return {
    sections: [...found.values()],
    typeOf: (schema) => alternatives([...new Set(typesOf(schema, false))]),
  };
}

/** The definitions that are values and no objects with keys of their own. */
const valueNouns: Partial<Record<string, (counted: (noun: string) => string) => string>> = {
  secret: (counted) => `[${counted("encrypted value")}](${anchor(encryptedValues)})`,
  value: (counted) => `${counted("value")}, encrypted or not`,
  plainValue: (counted) => counted("value"),
};

function rangeOf({ minimum, exclusiveMinimum, maximum }: Schema): string {
  if (minimum !== undefined && maximum !== undefined) return ` from ${minimum} to ${maximum}`;
  if (minimum !== undefined) return `, at least ${minimum}`;
  if (exclusiveMinimum !== undefined) return ` above ${exclusiveMinimum}`;
  return "";
}
