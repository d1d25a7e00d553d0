import { isJsonObject } from "../../json/json-value.ts";
import type { Project } from "../yaml/project.ts";
import type { YamlPart } from "../yaml/yaml-tree.ts";
import { ownKey, writtenConfig } from "./config-values.ts";

/**
 * The values of the namespace under `config` in Pulumi.yaml, by key. A stack has each of them unless its file has the key. Each is
 * under `value`, or as the `default` of a declaration; in short, it is the key's value itself.
 */
export function projectConfig({ file, name: project }: Project): Map<string, YamlPart> {
  const entries = [...writtenConfig(file)].flatMap(([fullKey, part]): [string, YamlPart][] => {
    const key = ownKey(fullKey, project);
    if (key === undefined) return [];
    const { node } = part;
    const value = isJsonObject(node.value) ? (node.parts.get("value") ?? node.parts.get("default")) : part;
    return value === undefined || value.node.value === null ? [] : [[key, value]];
  });
  return new Map(entries);
}
