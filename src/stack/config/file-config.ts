import { basename, dirname } from "node:path";
import { isJsonObject } from "../../json/json-value.ts";
import { hasUnknown, unknownValue } from "../../json/unknown.ts";
import { projectName } from "../yaml/project-name.ts";
import { readYamlFile } from "../yaml/yaml-file.ts";
import type { YamlPart } from "../yaml/yaml-tree.ts";
import { type ConfigNode, type ConfigSource, configNode, isSecure } from "./config-node.ts";
import {
  misreadIn,
  namespace,
  parseConfigText,
  type StackConfig,
  unusablePart,
  writtenConfig,
} from "./config-values.ts";
import { damagedSecrets } from "./damaged-secrets.ts";
import { layoutProblems } from "./layout-problems.ts";
import type { Problem } from "./problems.ts";

/**
 * Reads a stack's file alone, without the engine and the stack's passphrase. `unknownValue` stands for each encrypted value.
 *
 * @param path of the stack's file.
 */
export function readFileConfig(path: string): StackConfig {
  const file = readYamlFile(path, basename(path));
  const source: ConfigSource = { kind: "stack file", positionOf: file.positionOf };
  const problems: Problem[] = [
    ...file.problems.map((problem) => ({ path: [], ...problem })),
    ...layoutProblems(file, projectName(dirname(path))),
    ...damagedSecrets(file),
  ];
  const nodes = new Map<string, ConfigNode>();
  const texts = new Map<string, string>();
  for (const [fullKey, part] of writtenConfig(file)) {
    const [space, key] = fullKey.split(":");
    if (space !== namespace || key === undefined) continue;
    const scalar = textOf(part);
    const value = scalar === undefined ? withUnknowns(part.node.value) : parseConfigText(scalar);
    const unusable = unusablePart(value, [key], file.positionOf(part.offset));
    problems.push(...unusable);
    if (value === undefined || unusable.length > 0) continue;
    if (!hasUnknown(value)) texts.set(key, scalar ?? JSON.stringify(value));
    nodes.set(key, configNode({ value, path: [key], source, written: part.node, offset: part.offset }));
  }
  const values = Object.fromEntries([...nodes].map(([key, { value }]) => [key, value]));
  const { offset = 0 } = file.root?.node.parts.get("config") ?? {};
  const root = configNode({ value: values, path: [], source, offset });
  return {
    root: { ...root, part: (key) => nodes.get(String(key)) },
    problems: [...problems, ...misreadIn(file, new Set(nodes.keys()))],
    textOf: (key) => texts.get(key),
  };
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
