import { stringify } from "yaml";
import { tenantDocument, tenantsDocument } from "../../src/editor-schema/documents.ts";
import { columnsOf } from "./descriptions.ts";
import { alternatives, anchor, code, joined, page, prose, section } from "./markdown.ts";
import { createTables, type Tables } from "./repeated-rows.ts";
import {
  encryptedValues,
  headingOf,
  type KeySection,
  type Keys,
  keysBelow,
  type Schema,
  schemaOf,
  stackKeys,
  stackSchema,
} from "./stack-keys.ts";

const tenantOfFleet = "fleets.<key>.tenants.<key>";

/** The reference of a stack's YAML and of files of tenants, from the schemas that editors use. */
export function yamlPage(): string {
  const keys = keysBelow({ properties: stackKeys }, stackSchema.$defs);
  const { config: _, ...fileKeys } = stackSchema.properties ?? {};
  const secret = stackSchema.$defs?.secret ?? {};
  const tables = createTables();
  return page(
    "Stack YAML",
    "The keys of a stack's file, `Pulumi.<stack>.yaml`, and of the files of tenants that it names. In a path, `<key>` stands for" +
      "\na name that you choose, and `[]` for each item of a list. The package's JSON Schemas (`schemas/`) have the same keys for" +
      "\neditors, and `integration-platform validate` checks the files.",
    section(
      2,
      "The keys of the namespace",
      "Each key stands under `config` with the prefix `integration-platform:`, for example `integration-platform:tenants`.",
      keyTable(tables, "the namespace", { properties: stackKeys }, keys),
    ),
    ...keys.sections.map((one) => objectSection(tables, one, keys)),
    section(
      2,
      encryptedValues,
      "`pulumi config set --secret --path` writes an encrypted value as an object with one key:",
      keyTable(tables, encryptedValues, secret, keys),
    ),
    section(
      2,
      "Files of tenants",
      prose(schemaOf(tenantsDocument()).description ?? ""),
      prose(schemaOf(tenantDocument()).description ?? ""),
      `A tenant has the keys of [${code(tenantOfFleet)}](${anchor(tenantOfFleet)}) there, without encrypted values. The name of a` +
        "\nfile of one tenant is the tenant's key.",
    ),
    section(
      2,
      "Other keys of a stack's file",
      "Pulumi reads these keys, which stand beside `config`.",
      keyTable(tables, "the other keys", { properties: fileKeys }, keys),
    ),
  );
}

function objectSection(tables: Tables, one: KeySection, keys: Keys): string {
  const [, ...others] = one.paths;
  const place = `[${headingOf(one)}](${anchor(headingOf(one))})`;
  const also = others.length === 0 ? "" : `Also at ${others.map(code).join(", ")}.`;
  return section(2, headingOf(one), also, conditionOf(one.schema), keyTable(tables, place, one.schema, keys));
}

/** Which keys exclude each other. */
function conditionOf({ oneOf = [], maxProperties, properties = {} }: Schema): string {
  const excluding = maxProperties === 1 ? Object.keys(properties) : oneOf.flatMap(({ required = [] }) => required);
  return excluding.length === 0 ? "" : `Exactly one of the keys ${alternatives(excluding.map(code))} is required.`;
}

function keyTable(tables: Tables, place: string, { properties = {}, required = [] }: Schema, { typeOf }: Keys): string {
  const rows = Object.entries(properties).map(([key, schema]) => {
    const { preset, meaning } = columnsOf(schema.description ?? "");
    const declared = schema.default === undefined ? preset : code(inOneLine(schema.default));
    const shown = joined(meaning, examplesOf(schema));
    return [code(key), typeOf(schema), required.includes(key) ? "required" : declared, shown];
  });
  return tables.write(place, ["Key", "Type", "Default", "Meaning"], rows);
}

function examplesOf({ examples = [] }: Schema): string {
  if (examples.length === 0) return "";
  const noun = examples.length === 1 ? "Example" : "Examples";
  return `${noun}: ${examples.map((example) => code(inOneLine(example))).join(", ")}`;
}

function inOneLine(value: unknown): string {
  return stringify(value, { collectionStyle: "flow", lineWidth: 0 }).trim();
}
