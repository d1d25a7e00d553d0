import { existsSync } from "node:fs";
import { join, relative, sep } from "node:path";

/**
 * The comment that tells an editor the schema of a YAML file, where the working directory is a project with this package or a
 * clone of its repository.
 *
 * @param folder of the YAML file.
 */
export function schemaComment(schema: "stack" | "tenants", folder = ""): string {
  const name = join("schemas", `${schema}.schema.json`);
  const path = existsSync(name) ? name : join("node_modules/pulumi-integration-platform", name);
  const fromFolder = relative(folder, path).replaceAll(sep, "/");
  return `# yaml-language-server: $schema=${fromFolder.startsWith(".") ? fromFolder : `./${fromFolder}`}\n`;
}
