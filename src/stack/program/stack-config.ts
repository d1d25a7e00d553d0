import { existsSync } from "node:fs";
import * as pulumi from "@pulumi/pulumi";
import { partOf } from "../../json/key-path.ts";
import { type ConfigNode, type ConfigSource, configNode, isSecure } from "../config/config-node.ts";
import {
  misreadIn,
  namespace,
  parseConfigText,
  roundedParts,
  type StackConfig,
  unusablePart,
  writtenConfig,
} from "../config/config-values.ts";
import { engineProblems } from "../config/engine-problems.ts";
import { isoOfGoTime } from "../config/go-time.ts";
import { layoutProblems, namespaceProblem } from "../config/layout-problems.ts";
import type { Problem } from "../config/problems.ts";
import { projectConfig } from "../config/project-config.ts";
import { nameInProject, type Project, stackFilePath } from "../yaml/project.ts";
import { readYamlFile, type YamlFile } from "../yaml/yaml-file.ts";
import type { YamlNode, YamlPart } from "../yaml/yaml-tree.ts";
import { throwIfAny } from "./throw-if-any.ts";

/**
 * Reads the config of the stack that runs: the values from the engine, and their places and secrets from the stack's file.
 * A value from `--config-file` is not in the stack's file. So if a key has another value in the file than in the engine, the
 * file is not its source.
 *
 * @throws pulumi.RunError for values that later code cannot work on, and a file that cannot be used: what its values would mean,
 * and the checks of the places, would be lost without a word.
 */
export function readStackConfig(project: Project): StackConfig {
  const path = stackFilePath(project, pulumi.getStack());
  const file = existsSync(path) ? readYamlFile(path, nameInProject(project, path), "engine") : undefined;
  const unusable = [...(file?.problems ?? []), ...(project.file?.problems ?? [])];
  throwIfAny(unusable.map((problem) => ({ path: [], ...problem })));
  if (file === undefined) warnOfMissingFile(path);

  const texts = configTexts();
  const unknown: ConfigSource = { kind: "unknown", positionOf: () => `stack ${pulumi.getStack()}` };
  const values = new Map([...texts].map(([key, text]) => [key, parseConfigText(text)]));
  throwIfAny([...values].flatMap(([key, value]) => unusablePart(value, [key], unknown.positionOf(0))));

  const written = writtenConfig(file);
  const ofProject = projectConfig(project);
  const nodes = new Map<string, ConfigNode>();
  const rounded: Problem[] = [];
  const fromFile = new Map<string, YamlPart>();
  const fromProject = new Map<string, YamlPart>();
  for (const [key, value] of values) {
    const part = written.get(`${namespace}:${key}`);
    const isOf = ({ node }: YamlPart) => node.value === texts.get(key) || isSameConfig(node, value);
    const isFromFile = file !== undefined && part !== undefined && isOf(part);
    const inProject = ofProject.get(key);
    const isFromProject = project.file !== undefined && inProject !== undefined && isOf(inProject);
    const add = (source: ConfigSource, from?: YamlPart) => {
      const location = from === undefined ? {} : { written: from.node, offset: from.offset };
      if (value === undefined) return;
      nodes.set(key, configNode({ value, path: [key], source, ...location }));
      const isYaml = from !== undefined && isObject(from.node.value) && !isSecure(from.node.value);
      if (!isYaml) rounded.push(...roundedParts(value, [key], source.positionOf(from?.offset ?? 0)));
    };
    if (isFromFile) {
      fromFile.set(key, part);
      add({ kind: "stack file", positionOf: file.positionOf }, part);
    } else if (isFromProject) {
      fromProject.set(key, inProject);
      add({ kind: "project file", positionOf: project.file.positionOf }, inProject);
    } else {
      add(unknown);
    }
  }
  const root = configNode({ value: Object.fromEntries(values), path: [], source: unknown });
  return {
    root: { ...root, part: (key) => nodes.get(String(key)) },
    problems: [
      ...engineProblems(file, project),
      ...layoutProblems(file, project),
      ...misspeltElsewhere([file, project.file], unknown),
      ...rounded,
      ...misreadIn(file, fromFile),
      ...misreadIn(project.file, fromProject),
    ],
    textOf: (key) => texts.get(key),
    hasUnreadKeys: false, // the engine has read the environments too
  };
}

/**
 * The misspelt namespaces of keys that no file has. The engine has all keys, also those of an environment, of `--config-file` and
 * of the Automation API.
 */
function misspeltElsewhere(files: readonly (YamlFile | undefined)[], { positionOf }: ConfigSource): Problem[] {
  const written = new Set(files.flatMap((file) => [...writtenConfig(file).keys()]));
  return Object.keys(pulumi.runtime.allConfig()).flatMap((key) => {
    const reason = namespaceProblem(key, pulumi.getProject());
    return reason === undefined || written.has(key) ? [] : [{ path: [key], where: positionOf(0), reason }];
  });
}

function warnOfMissingFile(path: string): void {
  pulumi.log.warn(
    `there is no stack's file ${path}. If the config is from another place, such as --config-file or an environment, its ` +
      "mistakes are shown without their lines, and keys beside `config`, which Pulumi ignores, are not found",
  );
}

/** The strings of the namespace, by key. */
function configTexts(): Map<string, string> {
  const entries = Object.entries(pulumi.runtime.allConfig()).flatMap(([fullKey, text]): [string, string][] => {
    const [space, key] = fullKey.split(":");
    return space === namespace && key !== undefined ? [[key, text]] : [];
  });
  return new Map(entries);
}

/** Whether the file has the same value as the engine. Secrets are taken for the same: the file has them encrypted. */
function isSameConfig({ value: written, parts, misread }: YamlNode, value: unknown): boolean {
  if (isSecure(written)) return true;
  if (!isObject(written) || !isObject(value)) {
    if (isObject(written) || isObject(value)) return false;
    if (isSameScalar(written, value)) return true;
    return misread !== undefined && misread.by !== "JavaScript" && isSameScalar(misread.engineValue, value);
  }
  const left = new Set(Object.keys(value));
  const isSameParts = [...parts].every(([key, part]) => {
    const engineKey = engineKeyOf(key, part, left);
    return left.delete(engineKey) && isSameConfig(part.node, partOf(value, engineKey));
  });
  return isSameParts && left.size === 0;
}

/** The key that the engine has for a part of a map. Of null it makes `<nil>`. */
function engineKeyOf(key: string, { misreadKey }: YamlPart, keys: ReadonlySet<string>): string {
  if (misreadKey === undefined || misreadKey.by === "JavaScript") return key;
  return [...keys].find((one) => isSameScalar(misreadKey.engineValue ?? "<nil>", one)) ?? key;
}

function isSameScalar(written: unknown, value: unknown): boolean {
  if (written instanceof Date) return isSameTime(written, value);
  return String(written) === String(value) || isSameNumber(written, value);
}

/** The engine passes on numbers that are too large for it as strings. */
function isSameNumber(written: unknown, value: unknown): boolean {
  return typeof written === "number" && value !== "" && written === Number(value);
}

/** The engine reads 2026-12-20 as a time, which it passes on in the form of Go: `2026-12-20 00:00:00 +0000 UTC`. */
function isSameTime(written: Date, value: unknown): boolean {
  const time = isoOfGoTime(String(value));
  return time !== undefined && Date.parse(time) === written.getTime();
}

function isObject(value: unknown): value is object {
  return typeof value === "object" && value !== null;
}
