import { existsSync } from "node:fs";
import { basename } from "node:path";
import * as pulumi from "@pulumi/pulumi";
import { maxDepth, tooDeep } from "../json/depth.ts";
import { type KeyPath, partOf } from "../json/key-path.ts";
import { type ConfigNode, type ConfigSource, configNode, isSecure } from "./config-node.ts";
import { type Problem, refuse } from "./problems.ts";
import { inexactNumber, readYamlFile, type YamlFile } from "./yaml-file.ts";
import { protoKey, type YamlNode } from "./yaml-tree.ts";

const namespace = "integration-platform";

/** The config namespace `integration-platform` of the stack that runs. */
export interface StackConfig {
  /** An object of all keys. */
  root: ConfigNode;
  /** Numbers that JavaScript cannot hold. */
  problems: readonly Problem[];
  /** The string that the engine has for a key: objects and lists are JSON. */
  textOf(key: string): string | undefined;
}

/**
 * Reads the values from the engine, and their places and secrets from the stack's file. Config can also come from elsewhere,
 * such as `--config-file`: if a key has another value in the file than in the engine, the file is not its source.
 *
 * @param path of the stack's file, which need not exist.
 * @throws pulumi.RunError for values that later code cannot work on.
 */
export function readStackConfig(path: string): StackConfig {
  const texts = configTexts();
  const unknown: ConfigSource = { kind: "unknown", positionOf: () => `stack ${pulumi.getStack()}` };
  const values = new Map([...texts].map(([key, text]) => [key, parse(text)]));
  refuse([...values].flatMap(([key, value]) => unusablePart(value, [key], unknown.positionOf(0))));

  const file = existsSync(path) ? readYamlFile(path, basename(path)) : undefined;
  const written = writtenConfig(file);
  const nodes = new Map<string, ConfigNode>();
  const fromFile = new Set<string>();
  for (const [key, value] of values) {
    const part = written.get(`${namespace}:${key}`);
    const isFromFile = file !== undefined && part !== undefined && isSameConfig(part.node.value, value);
    if (isFromFile) fromFile.add(key);
    const source: ConfigSource = isFromFile ? { kind: "stack file", positionOf: file.positionOf } : unknown;
    const location = isFromFile ? { written: part.node, offset: part.offset } : {};
    if (value !== undefined) nodes.set(key, configNode({ value, path: [key], source, ...location }));
  }
  const root = configNode({ value: Object.fromEntries(values), path: [], source: unknown });
  return {
    root: { ...root, part: (key) => nodes.get(String(key)) },
    problems: inexactNumbersIn(file, fromFile),
    textOf: (key) => texts.get(key),
  };
}

/** The strings of the namespace, by key. */
function configTexts(): Map<string, string> {
  const entries = Object.entries(pulumi.runtime.allConfig()).flatMap(([fullKey, text]): [string, string][] => {
    const [space, key] = fullKey.split(":");
    return space === namespace && key !== undefined ? [[key, text]] : [];
  });
  return new Map(entries);
}

/** Objects and lists reach a program as JSON. */
function parse(text: string): unknown {
  if (!/^\s*[[{]|^null$/.test(text)) return text;
  try {
    return JSON.parse(text) ?? undefined;
  } catch {
    return text;
  }
}

/** The first part that later code cannot work on. This does not recurse, because the value may be too deep for that. */
function unusablePart(root: unknown, path: KeyPath, where: string): Problem[] {
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

/** The values under `config` in the file, by full key. */
function writtenConfig(file: YamlFile | undefined): YamlNode["parts"] {
  return file?.root?.node.parts.get("config")?.node.parts ?? new Map();
}

/** Whether the file has the same value as the engine. Secrets are taken for the same: the file has them encrypted. */
function isSameConfig(written: unknown, value: unknown): boolean {
  if (isSecure(written)) return true;
  if (!isObject(written) || !isObject(value)) {
    if (isObject(written) || isObject(value)) return false;
    return String(written) === String(value) || isSameNumber(written, value);
  }
  const keys = new Set([...Object.keys(written), ...Object.keys(value)]);
  return [...keys].every((key) => isSameConfig(partOf(written, key), partOf(value, key)));
}

/** The engine passes on numbers that are too large for it as strings. */
function isSameNumber(written: unknown, value: unknown): boolean {
  return typeof written === "number" && value !== "" && written === Number(value);
}

function isObject(value: unknown): value is object {
  return typeof value === "object" && value !== null;
}

function inexactNumbersIn(file: YamlFile | undefined, keys: ReadonlySet<string>): Problem[] {
  return (file?.inexactNumbers ?? []).flatMap(({ path: [section, fullKey, ...rest], where }) => {
    const [space, key = ""] = String(fullKey).split(":");
    if (section !== "config" || space !== namespace || !keys.has(key)) return [];
    return [{ path: [key, ...rest], where, reason: inexactNumber }];
  });
}
