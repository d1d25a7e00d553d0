// `npm run schemas`: writes the JSON Schemas of a stack's YAML, which editors use.
import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { stackDocument, tenantDocument, tenantsDocument } from "../src/editor-schema/documents.ts";

const folder = join(dirname(import.meta.dirname), "schemas");

/** The text of each schema, by the name of its file. */
export const schemaFiles: Readonly<Record<string, string>> = {
  "stack.schema.json": textOf(stackDocument()),
  "tenants.schema.json": textOf(tenantsDocument()),
  "tenant.schema.json": textOf(tenantDocument()),
};

if (import.meta.main) {
  await mkdir(folder, { recursive: true });
  for (const [name, text] of Object.entries(schemaFiles)) await writeFile(join(folder, name), text);
}

function textOf(schema: object): string {
  return `${JSON.stringify(schema, null, 2)}\n`;
}
