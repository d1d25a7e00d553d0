import type { KeyPath } from "../../json/key-path.ts";
import { isHeldByEngine, isKeyHeldByEngine, notHeld } from "../yaml/engine-text.ts";
import type { Project } from "../yaml/project.ts";
import type { YamlFile } from "../yaml/yaml-file.ts";
import type { YamlPart } from "../yaml/yaml-tree.ts";
import { ownKey } from "./config-values.ts";
import type { Problem } from "./problems.ts";

/**
 * What the Pulumi engine reads otherwise than it is written in a stack's file and in Pulumi.yaml, or not at all. It says neither
 * where that is, nor that a value has become another one.
 */
export function engineProblems(file: YamlFile | undefined, project: Project): Problem[] {
  return [file, project.file].flatMap((one) => (one === undefined ? [] : problemsIn(one, project.name)));
}

function problemsIn({ root, unlikeInEngine, positionOf }: YamlFile, project: string | undefined): Problem[] {
  const seen = new Set<unknown>();
  const visit = ({ node, offset }: YamlPart, path: KeyPath): Problem[] => {
    const where = positionOf(offset);
    if (typeof node.value === "string")
      return isHeldByEngine(node.value) ? [] : [{ path, where, reason: notHeld.string }];
    if (seen.has(node)) return [];
    seen.add(node);
    const isList = Array.isArray(node.value);
    return [...node.parts].flatMap(([key, part]) => {
      const inside = pathOf([...path, isList ? Number(key) : key], project);
      const isHeld = isList || isKeyHeldByEngine(key);
      const own = isHeld ? [] : [{ path: inside, where: positionOf(part.offset), reason: notHeld.key }];
      return [...own, ...visit(part, inside)];
    });
  };
  const unlike = unlikeInEngine.map((problem) => ({ path: [], ...problem }));
  return [...unlike, ...(root === undefined ? [] : visit(root, []))];
}

/** A path of a file as messages have it: without `config` and our namespace. */
function pathOf(path: KeyPath, project: string | undefined): KeyPath {
  const [first, second] = path;
  const key =
    first === "config" && path.length === 2 && typeof second === "string" ? ownKey(second, project) : undefined;
  return key === undefined ? path : [key];
}
