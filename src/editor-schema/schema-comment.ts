import { existsSync } from "node:fs";
import { basename, join, relative, resolve, sep } from "node:path";

/**
 * The comment that tells an editor the schema of a YAML file.
 *
 * @param directory of a project with this package, or of a clone of its repository.
 * @param folder of the YAML file, from this directory.
 */
export function schemaComment(directory: string, schema: "stack" | "tenants", folder = ""): string {
  const name = join(directory, "schemas", `${schema}.schema.json`);
  const path = existsSync(name)
    ? name
    : join(directory, "node_modules/pulumi-integration-platform/schemas", basename(name));
  const fromFolder = relative(resolve(directory, folder), path).replaceAll(sep, "/");
  return `# yaml-language-server: $schema=${fromFolder.startsWith(".") ? fromFolder : `./${fromFolder}`}\n`;
}
