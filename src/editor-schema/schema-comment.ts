import { join, relative, sep } from "node:path";

/**
 * The comment that tells an editor the schema of a YAML file, where this package is installed in the working directory.
 *
 * @param folder of the YAML file.
 */
export function schemaComment(schema: "stack" | "tenants", folder = ""): string {
  const path = join("node_modules/pulumi-integration-platform/schemas", `${schema}.schema.json`);
  const fromFolder = relative(folder, path).replaceAll(sep, "/");
  return `# yaml-language-server: $schema=${fromFolder.startsWith(".") ? fromFolder : `./${fromFolder}`}\n`;
}
