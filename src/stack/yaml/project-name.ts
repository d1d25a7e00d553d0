import { existsSync } from "node:fs";
import { basename, join } from "node:path";
import { readYamlFile } from "./yaml-file.ts";

/** The name of the project in a folder, which is also a config namespace. `undefined` if Pulumi.yaml does not say it. */
export function projectName(directory: string): string | undefined {
  const path = ["Pulumi.yaml", "Pulumi.yml"].map((name) => join(directory, name)).find((file) => existsSync(file));
  const name = path && readYamlFile(path, basename(path)).root?.node.parts.get("name")?.node.value;
  return typeof name === "string" ? name : undefined;
}
