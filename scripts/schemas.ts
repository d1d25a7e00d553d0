// `npm run schemas`: writes the JSON Schemas of a stack's YAML, which editors use, and the Pulumi schema of the provider plugin.
import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { profileDocument, stackDocument, tenantDocument, tenantsDocument } from "../src/editor-schema/documents.ts";
import { providerSchema } from "./provider-schema/provider-schema.ts";

const repository = dirname(import.meta.dirname);
const folder = join(repository, "schemas");

/** The text of each schema for editors, by the name of its file. */
export const schemaFiles: Readonly<Record<string, string>> = {
  "stack.schema.json": textOf(stackDocument()),
  "tenants.schema.json": textOf(tenantsDocument()),
  "tenant.schema.json": textOf(tenantDocument()),
  "platform-profile.schema.json": textOf(profileDocument()),
};

/** The Pulumi schema of the provider plugin, which answers it to the engine and from which the SDKs are made. */
export const providerSchemaFile = join(repository, "src", "plugin", "schema.json");

/** The text of the provider plugin's schema. It takes seconds: it reads the docstrings with the TypeScript compiler. */
export function providerSchemaText(): string {
  return textOf(providerSchema());
}

if (import.meta.main) {
  await mkdir(folder, { recursive: true });
  for (const [name, text] of Object.entries(schemaFiles)) await writeFile(join(folder, name), text);
  await mkdir(dirname(providerSchemaFile), { recursive: true });
  await writeFile(providerSchemaFile, providerSchemaText());
}

function textOf(schema: object): string {
  return `${JSON.stringify(schema, null, 2)}\n`;
}
