import { maxDepth, tooDeep } from "../../json/depth.ts";
import type { KeyPath } from "../../json/key-path.ts";
import { isRounded, noteSource } from "../../json/number-sources.ts";
import { parseNumberTexts } from "../../json/number-text.ts";
import type { YamlFile } from "../yaml/yaml-file.ts";
import { type Misread, protoKey, type YamlNode, type YamlPart } from "../yaml/yaml-tree.ts";
import type { ConfigNode } from "./config-node.ts";
import { isTimeSetting, misreadScalars, roundedNumber } from "./misread-scalars.ts";
import type { Problem } from "./problems.ts";

/** The config namespace of everything that this package reads. */
export const namespace = "integration-platform";

/**
 * The key in our namespace that a key of a file means; `undefined` for one of another namespace. A key without a namespace is in that
 * of the project.
 */
export function ownKey(fullKey: string, project: string | undefined): string | undefined {
  const [space, key] = fullKey.includes(":") ? fullKey.split(":") : [project, fullKey];
  return space === namespace ? key : undefined;
}

/** The config namespace `integration-platform` of a stack. */
export interface StackConfig {
  /** An object of all keys. */
  root: ConfigNode;
  /**
   * What later code cannot work on: scalars in whose place something else would be sent, and where only the file was read,
   * invalid YAML.
   */
  problems: readonly Problem[];
  /** The string that the engine has for a key: objects and lists are JSON. `undefined` for one that is not decrypted. */
  textOf(key: string): string | undefined;
  /** Whether keys may have values that were not read, because the stack's file names environments of Pulumi ESC. */
  hasUnreadKeys: boolean;
}

/** The value of a key whose string the engine has. Objects and lists are JSON. */
export function parseConfigText(text: string): unknown {
  if (!/^\s*[[{]|^null$/.test(text)) return text;
  try {
    return parseNumberTexts(text, noteSource) ?? undefined;
  } catch {
    return text;
  }
}

/** The first part that later code cannot work on. This does not recurse, because the value may be too deep for that. */
export function unusablePart(root: unknown, path: KeyPath, where: string): Problem[] {
  const left = [{ value: root, path, depth: 0 }];
  for (let part = left.pop(); part !== undefined; part = left.pop()) {
    const { value, path, depth } = part;
    if (typeof value !== "object" || value === null) continue;
    if (depth >= maxDepth) return [{ path: path.slice(0, 4), where, reason: tooDeep }];
    for (const [key, inner] of Object.entries(value)) {
      if (key === "__proto__") return [{ path, where, reason: protoKey }];
      left.push({ value: inner, path: [...path, key], depth: depth + 1 });
    }
  }
  return [];
}

/**
 * The numbers of a value from {@link parseConfigText} that are other ones than in its text. {@link misreadIn} finds those that a
 * file has as YAML; this finds those of JSON in a string, in an encrypted value, or from an unknown source.
 */
export function roundedParts(root: unknown, path: KeyPath, where: string): Problem[] {
  if (typeof root !== "object" || root === null) return [];
  return Object.entries(root).flatMap(([key, value]) => {
    const place = [...path, Array.isArray(root) ? Number(key) : key];
    return isRounded(root, key) ? [{ path: place, where, reason: roundedNumber }] : roundedParts(value, place, where);
  });
}

/** The values under `config` in a stack's file, by full key. */
export function writtenConfig(file: YamlFile | undefined): YamlNode["parts"] {
  return file?.root?.node.parts.get("config")?.node.parts ?? new Map();
}

/** The scalars in the values of a file, by their keys in our namespace, in whose place something else would be sent. */
export function misreadIn(file: YamlFile | undefined, values: Iterable<readonly [string, YamlPart]>): Problem[] {
  if (file === undefined) return [];
  const isTime = (misread: Misread, path: KeyPath) => misread.by === "engine" && isTimeSetting(path);
  return [...values].flatMap(([key, part]) => misreadScalars(file, part, [key], isTime));
}
