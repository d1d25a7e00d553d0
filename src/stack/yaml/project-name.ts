import { existsSync } from "node:fs";
import { basename, join } from "node:path";
import { readYamlFile, type YamlFile } from "./yaml-file.ts";

/** The name of the project in a folder, which is also a config namespace. `undefined` if Pulumi.yaml does not say it. */
export function projectName(directory: string): string | undefined {
  return nameIn(projectFile(directory));
}

/** The Pulumi.yaml of a folder; `undefined` if there is none. */
export function projectFile(directory: string): YamlFile | undefined {
  const path = ["Pulumi.yaml", "Pulumi.yml"].map((name) => join(directory, name)).find((file) => existsSync(file));
  return path === undefined ? undefined : readYamlFile(path, basename(path), "engine");
}

/** The name that the file of a project says. */
export function nameIn(file: YamlFile | undefined): string | undefined {
  const name = file?.root?.node.parts.get("name")?.node.value;
  return typeof name === "string" ? name : undefined;
}
