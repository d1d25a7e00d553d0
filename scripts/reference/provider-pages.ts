import { readdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { namespace } from "../../src/stack/config/config-values.ts";
import { type ObjectSpec, type PropertySpecs, type ResourceSpec, tokenOf } from "../provider-schema/package-spec.ts";
import { columnsOf, firstSentence } from "./descriptions.ts";
import { type Declaration, moduleDescription, readDeclarations } from "./docstrings.ts";
import { packageName, programExample, stackExample } from "./examples.ts";
import { anchor, code, joined, page, prose, section, table } from "./markdown.ts";
import { inputTable, nameOf, outputTable, providerSchema, typeSections } from "./provider-types.ts";
import { createTables, type Tables } from "./repeated-rows.ts";

const repository = dirname(dirname(import.meta.dirname));

/** The names of the resources, such as `TenantFleet`. */
export const resourceNames: readonly string[] = Object.keys(providerSchema.resources).map(nameOf);

/** The name of a resource in paths, such as `tenant-fleet`. */
export function pathName(resource: string): string {
  return resource.replace(/(?<=[a-z])(?=[A-Z])/g, "-").toLowerCase();
}

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
  const tables = createTables();
  const inputsOnly = Object.keys(inputProperties).filter((key) => properties[key] === undefined);
  const except = inputsOnly.length === 0 ? "" : `, except ${inputsOnly.map(code).join(", ")}`;
  return page(
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
    typesOf(tables, inputProperties, ownOutputs),
    importing,
  );
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
    const result = joined("Result:", outputTable(tables, `the result of ${link}`, outputs));
    return section(2, name, prose(description), example, args, result);
  });
  const results = Object.values(providerSchema.functions).map(({ outputs }) => outputs.properties ?? {});
  return page("Lookups", prose(moduleDescription("src/lookups/index.ts")), ...functions, typesOf(tables, ...results));
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
  const provider = readDeclarations("src/native/provider.ts").get("Provider");
  const tables = createTables();
  return page(
    "Provider settings",
    prose(description),
    section(2, "Config of the stack", inputTable(tables, "the config", { properties: Object.fromEntries(keys) })),
    section(
      2,
      "Explicit provider",
      "Only the [native provider](../guides/native.md) has it.",
      prose(provider?.description ?? ""),
      programExample(provider?.example, `${packageName}/native`),
      inputTable(tables, "the provider", { properties: inputProperties }),
    ),
  );
}

function resourceOf(name: string): ResourceSpec {
  const resource = providerSchema.resources[tokenOf(name)];
  if (resource === undefined) throw new Error(`The provider's schema has no resource ${name}.`);
  return resource;
}

function declarationsOf(resource: string): ReadonlyMap<string, Declaration> {
  return readDeclarations(`src/resources/${pathName(resource)}/resource.ts`);
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

function typesOf(tables: Tables, ...properties: readonly PropertySpecs[]): string {
  const sections = typeSections(tables, 3, ...properties);
  return sections.length === 0 ? "" : section(2, "Types", ...sections);
}
