import { readdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { namespace } from "../../src/stack/config/config-values.ts";
import { type ObjectSpec, type PropertySpecs, type ResourceSpec, tokenOf } from "../provider-schema/package-spec.ts";
import { columnsOf, firstSentence } from "./descriptions.ts";
import { type Declaration, moduleDescription, readDeclarations } from "./docstrings.ts";
import { packageName, programExample, stackExample } from "./examples.ts";
import { anchor, code, joined, page, prose, section, table } from "./markdown.ts";
import {
  inputRows,
  inputTable,
  nameOf,
  outputTable,
  providerSchema,
  resourceFile,
  typeSections,
  typeText,
} from "./provider-types.ts";
import { createTables, type Tables, type WrittenTable } from "./repeated-rows.ts";

const repository = dirname(dirname(import.meta.dirname));
const lookupsFile = "lookups.md";

/** The names of the resources, such as `TenantFleet`. */
export const resourceNames: readonly string[] = Object.keys(providerSchema.resources).map(nameOf);

/** What a resource is, in one sentence. */
export function resourceSummary(name: string): string {
  return prose(firstSentence(resourceOf(name).description ?? ""));
}

/** The page of a resource: examples, inputs, outputs, their types, and how it is imported. */
export function resourcePage(name: string): string {
  const { description = "", inputProperties, requiredInputs, properties = {}, required = [] } = resourceOf(name);
  const { introduction, importing } = documentOf(description);
  const token = tokenOf(name);
  const ownOutputs = outputsBeside(inputProperties, properties);
  const file = resourceFile(name);
  const tables = createTables(inputsOfOthers(name));
  const inputsOnly = Object.keys(inputProperties).filter((key) => properties[key] === undefined);
  const except = inputsOnly.length === 0 ? "" : `, except ${inputsOnly.map(code).join(", ")}`;
  const text = page(
    name,
    prose(introduction),
    section(
      2,
      "Examples",
      programExample(declarationsOf(name).get(name)?.example),
      stackExample(name),
      `[In Pulumi YAML](../../examples/tenants-in-yaml): ${code(`type: ${token.replace(":index:", ":")}`)}, with the inputs as \`properties\`. In states and imports, the type is ${code(token)}.`,
    ),
    section(
      2,
      "Inputs",
      inputTable(tables, "[the inputs](#inputs)", { properties: inputProperties, required: requiredInputs }),
    ),
    typeScriptArguments(name, inputProperties),
    section(
      2,
      "Outputs",
      `All inputs are outputs too${except}.`,
      outputTable(tables, "[the outputs](#outputs)", { properties: ownOutputs, required }),
    ),
    typesOf(tables, file, inputProperties, ownOutputs),
    importing,
  );
  return text.replaceAll(`](${file}#`, "](#");
}

/** The inputs of the other resources, which types of a resource repeat: those of `FleetTenant` are inputs of `Tenant`. */
function inputsOfOthers(resource: string): WrittenTable[] {
  return resourceNames
    .filter((name) => name !== resource)
    .map((name) => {
      const { inputProperties, requiredInputs } = resourceOf(name);
      const rows = inputRows({ properties: inputProperties, required: requiredInputs });
      return { place: `[the inputs of ${name}](${resourceFile(name)}#inputs)`, rows };
    });
}

/** The page of the functions that read the platform. */
export function lookupsPage(): string {
  const declarations = lookupDeclarations();
  const tables = createTables();
  const functions = Object.entries(providerSchema.functions).map(([token, { description, inputs, outputs }]) => {
    const name = nameOf(token);
    const link = `[${name}](${anchor(name)})`;
    const args =
      inputs === undefined
        ? "It has no arguments."
        : (argumentsOf(inputs) ?? joined("Arguments:", inputTable(tables, `the arguments of ${link}`, inputs)));
    const example = programExample(declarations.get(name)?.example);
    const result = resultOf(outputs) ?? joined("Result:", outputTable(tables, `the result of ${link}`, outputs));
    return section(2, name, prose(description), example, args, result);
  });
  const results = Object.values(providerSchema.functions).map(({ outputs }) => outputs.properties ?? {});
  const types = typesOf(tables, lookupsFile, ...results);
  const text = page("Lookups", prose(moduleDescription("src/lookups/index.ts")), ...functions, types);
  return text.replaceAll(`](${lookupsFile}#`, "](#");
}

/** The only property of a result, as a sentence. Undefined for several. */
function resultOf({ properties = {} }: ObjectSpec): string | undefined {
  const [[name, property] = ["", undefined], ...others] = Object.entries(properties);
  if (property === undefined || others.length > 0) return undefined;
  return `Its result is ${code(name)}, a ${typeText(property)}: ${prose(property.description)}`;
}

/** The only argument of a lookup, as a sentence. Undefined for several arguments. */
function argumentsOf({ properties = {} }: ObjectSpec): string | undefined {
  const [[name, { description = "" }] = ["", {}], ...others] = Object.entries(properties);
  return others.length > 0 ? undefined : `Its argument is ${code(name)}: ${prose(description)}`;
}

/** The page of the provider's settings. */
export function providerPage(): string {
  const { description = "", inputProperties } = providerSchema.provider;
  const { variables } = providerSchema.config;
  const keys = Object.entries(variables).map(([key, variable]) => [`${namespace}:${key}`, variable] as const);
  const settings = new Set(inputRows({ properties: variables }).map((row) => JSON.stringify(row)));
  const different = inputRows({ properties: inputProperties }).filter((row) => !settings.has(JSON.stringify(row)));
  const provider = readDeclarations("src/native/provider.ts").get("Provider");
  return page(
    "Provider settings",
    prose(description),
    section(
      2,
      "Config of the stack",
      inputTable(createTables(), "the config of the stack", { properties: Object.fromEntries(keys) }),
    ),
    section(
      2,
      "Explicit provider",
      "Only the [native provider](../guides/native.md) has it.",
      prose(provider?.description ?? ""),
      programExample(provider?.example, `${packageName}/native`),
      "Its inputs have the names above without the prefix, and the same meaning, except:",
      table(["Name", "Type", "Default", "Meaning"], different),
    ),
  );
}

function resourceOf(name: string): ResourceSpec {
  const resource = providerSchema.resources[tokenOf(name)];
  if (resource === undefined) throw new Error(`The provider's schema has no resource ${name}.`);
  return resource;
}

function declarationsOf(resource: string): ReadonlyMap<string, Declaration> {
  return readDeclarations(`src/resources/${resourceFile(resource).replace(/\.md$/, "")}/resource.ts`);
}

function lookupDeclarations(): ReadonlyMap<string, Declaration> {
  const folder = "src/lookups/program";
  const files = readdirSync(join(repository, folder));
  return new Map(files.flatMap((file) => [...readDeclarations(`${folder}/${file}`)]));
}

/** The parts of a description in the form of Pulumi's documents, without the examples. */
function documentOf(description: string): { introduction: string; importing: string } {
  const [introduction = "", rest = ""] = description.split("{{% examples %}}");
  const [, importing = ""] = rest.split("{{% /examples %}}");
  return { introduction: introduction.trim(), importing: importing.trim() };
}

/** The arguments of the class that differ from the provider's inputs. */
function typeScriptArguments(name: string, inputs: PropertySpecs): string {
  const members = declarationsOf(name).get(`${name}Args`)?.members ?? [];
  const rows = members
    .filter((member) => member.description !== inputs[member.name]?.description)
    .map((member) => {
      const { preset, meaning } = columnsOf(member.description);
      const type = member.type.replace(/ \| undefined$/, "").replace(/^pulumi\.Input<(.*)>$/, "$1");
      return [code(member.name), code(type), preset, meaning];
    });
  if (rows.length === 0) return "";
  return section(
    2,
    "Arguments in TypeScript",
    `The class ${code(name)} of ${code(packageName)} takes these inputs as arguments. Its own are:`,
    table(["Name", "Type", "Default", "Meaning"], rows),
  );
}

/** The outputs that no input has, or that differ from the input of the same name. */
function outputsBeside(inputs: PropertySpecs, outputs: PropertySpecs): PropertySpecs {
  const comparable = (properties: PropertySpecs, key: string) =>
    JSON.stringify({ ...properties[key], willReplaceOnChanges: undefined });
  return Object.fromEntries(
    Object.entries(outputs).filter(([key]) => comparable(inputs, key) !== comparable(outputs, key)),
  );
}

function typesOf(tables: Tables, file: string, ...properties: readonly PropertySpecs[]): string {
  const sections = typeSections(tables, file, ...properties);
  return sections.length === 0 ? "" : section(2, "Types", ...sections);
}
