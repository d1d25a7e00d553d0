import { closestMatch } from "leven";
import { isJsonObject } from "../../json/json-value.ts";
import type { YamlFile } from "../yaml/yaml-file.ts";
import type { YamlNode } from "../yaml/yaml-tree.ts";
import { namespace } from "./config-values.ts";
import type { Problem } from "./problems.ts";

/** The keys of a stack's file that Pulumi knows. */
export const stackFileKeys = ["config", "environment", "secretsprovider", "encryptedkey", "encryptionsalt"] as const;

/**
 * What is wrong with the layout of a stack's file. Pulumi ignores a misspelt key of the file and a misspelt namespace: all
 * tenants below it would be archived.
 *
 * @param project its name, a namespace that is as good as ours however similar it is.
 */
export function layoutProblems({ root, positionOf }: YamlFile, project: string | undefined): Problem[] {
  if (root === undefined || root.node.value === null) return [];
  if (!isJsonObject(root.node.value)) {
    return [{ path: [], where: positionOf(root.offset), reason: "must be an object with the key config" }];
  }
  const config = root.node.parts.get("config");
  const isConfigUsable = config === undefined || config.node.value === null || isJsonObject(config.node.value);
  return [
    ...misspelt(root.node, stackFileKeys, (key) => key).map(({ key, offset, known }) => ({
      path: [key],
      where: positionOf(offset),
      reason: `is not a key of a stack's file; did you mean "${known}"?`,
    })),
    ...[...root.node.parts].flatMap(([key, { offset }]) => {
      const reason = "is beside config, so Pulumi would ignore it: indent it below config";
      return namespaceOf(key) === namespace ? [{ path: [key], where: positionOf(offset), reason }] : [];
    }),
    ...(isConfigUsable ? [] : [{ path: ["config"], where: positionOf(config.offset), reason: "must be an object" }]),
    ...misspelt(config?.node, [namespace], namespaceOf)
      .filter(({ key }) => namespaceOf(key) !== project)
      .map(({ key, offset, known }) => ({
        path: [key],
        where: positionOf(offset),
        reason: `has an unknown namespace, so Pulumi would ignore it; did you mean "${known}"?`,
      })),
  ];
}

/** The keys of an object that are almost one of the known ones. Others may belong to somebody else. */
function misspelt(node: YamlNode | undefined, known: readonly string[], nameOf: (key: string) => string) {
  return [...(node?.parts ?? [])].flatMap(([key, { offset }]) => {
    const name = nameOf(key);
    if (known.includes(name)) return [];
    const match = closestMatch(name.toLowerCase(), [...known], { maxDistance: 3 });
    return match === undefined ? [] : [{ key, offset, known: match }];
  });
}

/** A key without a namespace belongs to the project. */
function namespaceOf(key: string): string {
  return key.includes(":") ? key.slice(0, key.indexOf(":")) : "";
}
