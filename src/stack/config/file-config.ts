import { isJsonObject } from "../../json/json-value.ts";
import { hasUnknown, unknownValue } from "../../json/unknown.ts";
import { nameInProject, type Project } from "../yaml/project.ts";
import { readYamlFile, type YamlFile } from "../yaml/yaml-file.ts";
import type { YamlPart } from "../yaml/yaml-tree.ts";
import { type ConfigNode, type ConfigSource, configNode, isSecure } from "./config-node.ts";
import {
  misreadIn,
  ownKey,
  parseConfigText,
  roundedParts,
  type StackConfig,
  unusablePart,
  writtenConfig,
} from "./config-values.ts";
import { damagedSecrets } from "./damaged-secrets.ts";
import { engineProblems } from "./engine-problems.ts";
import { layoutProblems } from "./layout-problems.ts";
import type { Problem } from "./problems.ts";
import { projectConfig } from "./project-config.ts";

/**
 * Reads a stack's file, and what Pulumi.yaml sets for all stacks, without the engine and the stack's passphrase.
 * `unknownValue` stands for each encrypted value. Environments of Pulumi ESC are not read.
 *
 * @param path of the stack's file.
 */
export function readFileConfig(path: string, project: Project): StackConfig {
  const file = readYamlFile(path, nameInProject(project, path), "engine");
  const source: ConfigSource = { kind: "stack file", positionOf: file.positionOf };
  const problems: Problem[] = [
    ...file.problems.map((problem) => ({ path: [], ...problem })),
    ...(project.file?.problems ?? []).map((problem) => ({ path: [], ...problem })),
    ...engineProblems(file, project),
    ...layoutProblems(file, project),
    ...damagedSecrets(file),
  ];
  const nodes = new Map<string, ConfigNode>();
  const texts = new Map<string, string>();
  const add = (key: string, part: YamlPart, { positionOf }: YamlFile, kind: ConfigSource["kind"]) => {
    const scalar = textOf(part);
    const value = scalar === undefined ? withUnknowns(part.node.value) : parseConfigText(scalar);
    const unusable = unusablePart(value, [key], positionOf(part.offset));
    problems.push(...unusable);
    if (value === undefined || unusable.length > 0) return;
    if (scalar !== undefined) problems.push(...roundedParts(value, [key], positionOf(part.offset)));
    if (!hasUnknown(value)) texts.set(key, scalar ?? JSON.stringify(value));
    const written = { written: part.node, offset: part.offset };
    nodes.set(key, configNode({ value, path: [key], source: { kind, positionOf }, ...written }));
  };
  const own = [...writtenConfig(file)].flatMap(([fullKey, part]): [string, YamlPart][] => {
    const key = ownKey(fullKey, project.name);
    return key === undefined ? [] : [[key, part]];
  });
  for (const [key, part] of own) add(key, part, file, source.kind);
  const ownKeys = new Set(own.map(([key]) => key));
  const ofProject = [...projectConfig(project)].filter(([key]) => !ownKeys.has(key));
  for (const [key, part] of ofProject) if (project.file !== undefined) add(key, part, project.file, "project file");
  const values = Object.fromEntries([...nodes].map(([key, { value }]) => [key, value]));
  const { offset = 0 } = file.root?.node.parts.get("config") ?? {};
  const isUsable = ([key]: readonly [string, YamlPart]) => nodes.has(key);
  const root = configNode({ value: values, path: [], source, offset });
  return {
    root: { ...root, part: (key) => nodes.get(String(key)) },
    problems: [
      ...problems,
      ...misreadIn(file, own.filter(isUsable)),
      ...misreadIn(project.file, ofProject.filter(isUsable)),
    ],
    textOf: (key) => texts.get(key),
    hasUnreadKeys: hasEnvironment(file),
  };
}

/** Whether a stack's file names environments of Pulumi ESC. */
function hasEnvironment({ root }: YamlFile): boolean {
  const environment = root?.node.parts.get("environment")?.node.value;
  return typeof environment === "object" && environment !== null && Object.keys(environment).length > 0;
}

/** The string that the engine makes of a value that is neither an object nor a list. */
function textOf({ node: { value } }: YamlPart): string | undefined {
  return typeof value === "object" && value !== null ? undefined : String(value);
}

/** The value with `unknownValue` in place of each encrypted value. */
function withUnknowns(value: unknown): unknown {
  if (isSecure(value)) return unknownValue;
  if (Array.isArray(value)) return value.map(withUnknowns);
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, withUnknowns(inner)]));
}
