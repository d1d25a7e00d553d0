import { readFileSync } from "node:fs";
import type {
  ObjectSpec,
  PackageSpec,
  PropertySpec,
  PropertySpecs,
  TypeSpec,
} from "../provider-schema/package-spec.ts";
import { providerSchemaFile } from "../schemas.ts";
import { columnsOf } from "./descriptions.ts";
import { alternatives, anchor, code, prose, section } from "./markdown.ts";
import type { Tables } from "./repeated-rows.ts";

/** The Pulumi schema of the provider, as `npm run schemas` wrote it. */
export const providerSchema: PackageSpec = JSON.parse(readFileSync(providerSchemaFile, "utf8"));

/**
 * What a program gives: the inputs of a resource, the arguments of a lookup, or the properties of a type.
 *
 * @param place where it stands, as {@link Tables.write} takes it.
 */
export function inputTable(tables: Tables, place: string, inputs: ObjectSpec): string {
  return tables.write(place, ["Name", "Type", "Default", "Meaning"], inputRows(inputs));
}

/** The rows of an {@link inputTable}. */
export function inputRows({ properties = {}, required = [] }: ObjectSpec): string[][] {
  return Object.entries(properties).map(([name, property]) => {
    const { preset, meaning } = columnsOf(descriptionOf(property));
    return [code(name), typeText(property), required.includes(name) ? "required" : preset, meaning];
  });
}

/** What a program gets: the outputs of a resource, or the result of a lookup. */
export function outputTable(tables: Tables, place: string, { properties = {}, required = [] }: ObjectSpec): string {
  const rows = Object.entries(properties).map(([name, property]) => {
    return [code(name), typeText(property), required.includes(name) ? "yes" : "no", prose(property.description)];
  });
  return tables.write(place, ["Name", "Type", "Always set", "Meaning"], rows);
}

/** A section for each object type that these properties use, directly or through others, unless another page has it. */
export function typeSections(tables: Tables, file: string, ...properties: readonly PropertySpecs[]): string[] {
  const own = [...typesUsedBy(properties)].filter(([token]) => fileOfType(token) === file);
  return own.map(([token, type]) =>
    section(3, nameOf(token), prose(type.description ?? ""), inputTable(tables, typeLink(token), type)),
  );
}

/** The file of the reference with the page of a resource. */
export function resourceFile(resource: string): string {
  return `${resource.replace(/(?<=[a-z])(?=[A-Z])/g, "-").toLowerCase()}.md`;
}

function typesUsedBy(properties: unknown): ReadonlyMap<string, ObjectSpec> {
  const used = new Map<string, ObjectSpec>();
  const visit = (specs: unknown) => {
    for (const [, token = ""] of JSON.stringify(specs).matchAll(/"#\/types\/([^"]+)"/g)) {
      const type = providerSchema.types[token];
      if (type === undefined || "enum" in type || used.has(token)) continue;
      used.set(token, type);
      visit(type);
    }
  };
  visit(properties);
  return used;
}

/** The page with the section of a type: that of a resource which uses it, of `Tenant` if several do. */
function fileOfType(token: string): string {
  const users = Object.entries(providerSchema.resources)
    .filter(([, { inputProperties, properties }]) => typesUsedBy([inputProperties, properties]).has(token))
    .map(([resource]) => nameOf(resource));
  const home = users.find((name) => name === "Tenant") ?? users[0];
  return home === undefined ? "lookups.md" : resourceFile(home);
}

function typeLink(token: string): string {
  return `[${nameOf(token)}](${fileOfType(token)}${anchor(nameOf(token))})`;
}

/** The name in a token such as `integration-platform:index:Tenant`. */
export function nameOf(token: string): string {
  return token.split(":").at(-1) ?? token;
}

function descriptionOf({ description, willReplaceOnChanges, secret }: PropertySpec): string {
  const isExplained = /replace/.test(description);
  return [
    description,
    ...(willReplaceOnChanges && !isExplained ? ["A change replaces the resource."] : []),
    ...(secret ? ["A secret."] : []),
  ].join(" ");
}

/** A type, with links to the sections of others. @param isPlural for the items of a list or a map. */
export function typeText(spec: TypeSpec, isPlural = false): string {
  const counted = (noun: string) => (isPlural ? `${noun}s` : noun);
  if (spec.oneOf !== undefined) return alternatives(spec.oneOf.map((one) => typeText(one, isPlural)));
  if (spec.$ref !== undefined) return referenceText(spec.$ref, isPlural);
  if (spec.type === "array") return `${counted("list")} of ${typeText(spec.items ?? {}, true)}`;
  if (spec.type !== "object") return counted(spec.type ?? "value");
  const isFreeForm = spec.additionalProperties?.$ref === "pulumi.json#/Any";
  return isFreeForm ? counted("object") : `${counted("map")} of ${typeText(spec.additionalProperties ?? {}, true)}`;
}

function referenceText(reference: string, isPlural: boolean): string {
  const type = providerSchema.types[reference.replace("#/types/", "")];
  if (type === undefined) return isPlural ? "values" : "any value";
  if ("enum" in type) return alternatives(type.enum.map(({ value }) => code(JSON.stringify(value))));
  return typeLink(reference.replace("#/types/", ""));
}
