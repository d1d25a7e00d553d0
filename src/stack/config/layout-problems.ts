import { closestMatch } from "leven";
import { isJsonObject } from "../../json/json-value.ts";
import type { Project } from "../yaml/project.ts";
import type { YamlFile } from "../yaml/yaml-file.ts";
import type { YamlNode } from "../yaml/yaml-tree.ts";
import { namespace } from "./config-values.ts";
import type { Problem } from "./problems.ts";

/** The keys of a stack's file that Pulumi knows. */
export const stackFileKeys = ["config", "environment", "secretsprovider", "encryptedkey", "encryptionsalt"] as const;

/**
 * What is wrong with the layout of a stack's file, and of the config in Pulumi.yaml. Pulumi ignores a misspelt key of the file
 * and a misspelt namespace: all tenants below it would be archived.
 */
export function layoutProblems(file: YamlFile | undefined, project: Project): Problem[] {
  const ofProject = misspeltNamespaces(project.file, project);
  if (file?.root === undefined || file.root.node.value === null) return ofProject;
  const { root, positionOf } = file;
  if (!isJsonObject(root.node.value)) {
    const reason = "must be an object with the key config";
    return [...ofProject, { path: [], where: positionOf(root.offset), reason }];
  }
  const config = root.node.parts.get("config");
  const isConfigUsable = config === undefined || config.node.value === null || isJsonObject(config.node.value);
  return [
    ...ofProject,
    ...misspelt(root.node, stackFileKeys).map(({ key, offset, known }) => ({
      path: [key],
      where: positionOf(offset),
      reason: `is not a key of a stack's file; did you mean "${known}"?`,
    })),
    ...[...root.node.parts].flatMap(([key, { offset }]) => {
      const reason = "is beside config, so Pulumi would ignore it: indent it below config";
      return namespaceOf(key) === namespace ? [{ path: [key], where: positionOf(offset), reason }] : [];
    }),
    ...(isConfigUsable ? [] : [{ path: ["config"], where: positionOf(config.offset), reason: "must be an object" }]),
    ...misspeltNamespaces(file, project),
  ];
}

/** The keys under `config` whose namespace is almost ours. */
function misspeltNamespaces(file: YamlFile | undefined, { name }: Project): Problem[] {
  if (file === undefined) return [];
  return [...(file.root?.node.parts.get("config")?.node.parts ?? [])].flatMap(([key, { offset }]) => {
    const reason = namespaceProblem(key, name);
    return reason === undefined ? [] : [{ path: [key], where: file.positionOf(offset), reason }];
  });
}

/**
 * Why a key of the config is not read, if its namespace is almost ours.
 *
 * @param project its name, a namespace that is as good as ours however similar it is.
 */
export function namespaceProblem(key: string, project: string | undefined): string | undefined {
  const space = namespaceOf(key);
  if (space === project || nearest(space, [namespace]) === undefined) return undefined;
  return `has an unknown namespace, so Pulumi would ignore it; did you mean "${namespace}"?`;
}

/** The keys of an object that are almost one of the known ones. Others may belong to somebody else. */
function misspelt(node: YamlNode, known: readonly string[]) {
  return [...node.parts].flatMap(([key, { offset }]) => {
    const match = nearest(key, known);
    return match === undefined ? [] : [{ key, offset, known: match }];
  });
}

/** The known name that a name almost is. */
function nearest(name: string, known: readonly string[]): string | undefined {
  return known.includes(name) ? undefined : closestMatch(name.toLowerCase(), [...known], { maxDistance: 3 });
}

/** A key without a namespace belongs to the project. */
function namespaceOf(key: string): string {
  return key.includes(":") ? key.slice(0, key.indexOf(":")) : "";
}
