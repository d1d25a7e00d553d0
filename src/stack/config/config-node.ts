import { isJsonObject } from "../../json/json-value.ts";
import { type KeyPath, partOf } from "../../json/key-path.ts";
import type { YamlNode } from "../yaml/yaml-tree.ts";

/** Where something is declared. */
export interface Place {
  /** Its keys in the stack's config: `["tenants", "acme", "schedule"]`. */
  readonly path: KeyPath;
  /** `Pulumi.sandbox.yaml:8:20`; `stack sandbox` if it is not known which file the config comes from. */
  readonly where: string;
}

/** A value of the stack's config that knows where it is declared and which of it is secret. */
export interface ConfigNode {
  /** The plain value, decrypted; where only the file was read, `unknownValue` stands for each encrypted value. */
  readonly value: unknown;
  /** The value as its file has it, where the file is known. The engine rewrites some: a time gets another form. */
  readonly written?: unknown;
  readonly place: Place;
  /** Whether the value as a whole is secret. If it is not, parts of it may be. */
  readonly isSecret: boolean;
  readonly source: ConfigSource["kind"];
  /** The part of an object or a list under a key or an index. */
  part(key: PropertyKey): ConfigNode | undefined;
}

/** What a node was read from. An unknown source, such as `--config-file`, does not show which values are secret. */
export interface ConfigSource {
  kind: "stack file" | "project file" | "tenants file" | "unknown";
  positionOf(offset: number): string;
}

interface NodeArgs {
  value: unknown;
  path: KeyPath;
  source: ConfigSource;
  /** The value as the file has it, and its offset there, or that of the nearest value around it. */
  written?: YamlNode | undefined;
  offset?: number;
  isSecret?: boolean;
}

/** Makes a node. Its parts are made when they are asked for, because a few aliases can stand for many. */
export function configNode({ value, path, source, written, offset = 0, isSecret = false }: NodeArgs): ConfigNode {
  const isSecretHere = isSecret || isSecure(written?.value);
  return {
    value,
    written: written?.value,
    isSecret: isSecretHere,
    source: source.kind,
    get place() {
      return { path, where: source.positionOf(offset) };
    },
    part: (key) => {
      const inner = partOf(value, key);
      const { node, offset: innerOffset = offset } = written?.parts.get(String(key)) ?? {};
      if (inner === undefined) return undefined;
      const location = { written: node, offset: innerOffset, isSecret: isSecretHere };
      return configNode({ value: inner, path: [...path, key], source, ...location });
    },
  };
}

/** Whether a value of a file is encrypted: `{ secure: <cipher> }`. */
export function isSecure(value: unknown): boolean {
  if (!isJsonObject(value)) return false;
  const [[key, cipher] = [], ...others] = Object.entries(value);
  return key === "secure" && typeof cipher === "string" && others.length === 0;
}

/** The parts of an object by key. Any other value has none. */
export function partsOf(node: ConfigNode | undefined): [string, ConfigNode][] {
  if (!isJsonObject(node?.value)) return [];
  return Object.keys(node.value).flatMap((key) => {
    const part = node.part(key);
    return part ? [[key, part]] : [];
  });
}

/** The place of a path in a node. If there is nothing at the path, `where` is the position of the nearest value around it. */
export function placeAt(node: ConfigNode, path: KeyPath): Place {
  let nearest = node;
  for (const [index, key] of path.entries()) {
    const part = nearest.part(key);
    if (part === undefined) return { ...nearest.place, path: [...nearest.place.path, ...path.slice(index)] };
    nearest = part;
  }
  return nearest.place;
}

/**
 * Merges objects; if several have a key, the first one wins.
 *
 * @param areMerged whether two values at a path are merged too, and not one of them taken.
 * @param path of the nodes.
 */
export function mergeNodes(
  [first, ...others]: readonly [ConfigNode, ...ConfigNode[]],
  areMerged: (path: readonly string[], values: readonly [unknown, unknown]) => boolean,
  path: readonly string[] = [],
): ConfigNode {
  const parts = new Map<string, ConfigNode>();
  for (const node of [first, ...others].reverse()) {
    for (const [key, part] of partsOf(node)) {
      const below = parts.get(key);
      const inside = [...path, key];
      const isMerged = below !== undefined && areMerged(inside, [part.value, below.value]);
      parts.set(key, isMerged ? mergeNodes([part, below], areMerged, inside) : part);
    }
  }
  const value = Object.fromEntries([...parts].map(([key, part]) => [key, part.value]));
  const { isSecret, source } = first;
  return {
    value,
    isSecret,
    source,
    get place() {
      return first.place;
    },
    part: (key) => parts.get(String(key)),
  };
}

/** A node that is secret as a whole, with all of its parts. */
export function asSecret(node: ConfigNode): ConfigNode {
  return {
    ...node,
    isSecret: true,
    part: (key) => {
      const part = node.part(key);
      return part && asSecret(part);
    },
  };
}
