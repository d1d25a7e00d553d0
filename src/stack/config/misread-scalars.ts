import type { KeyPath } from "../../json/key-path.ts";
import type { YamlFile } from "../yaml/yaml-file.ts";
import type { Misread, YamlPart } from "../yaml/yaml-tree.ts";
import type { Problem } from "./problems.ts";

/** The message for a number that would be sent with other digits. */
export const roundedNumber =
  "is a number that JavaScript cannot hold: another number would be sent in its place. " +
  "Write one that a double can hold, or a string if the platform accepts one";

/** What is wrong. It does not show the value, because configs may be secret. */
const reasons: Readonly<Record<Misread["by"], string>> = {
  JavaScript: roundedNumber,
  engine:
    "is another value to Pulumi, which reads 2027-01-31 as a time and 1_000 as 1000: " +
    "write it in quotes, or as a plain decimal number",
  zeros: "is a number with leading zeros, which would be lost: write it in quotes, or without the zeros",
  YAML: "is another key than written, because YAML reads it as a number, a boolean or null: write it in quotes",
};

/**
 * The scalars and keys in a part of a file in whose place something else would be sent. One that several aliases repeat is
 * found once.
 *
 * @param path of the part.
 * @param isExpected whether the value at a path may be read otherwise.
 */
export function misreadScalars(
  { positionOf }: YamlFile,
  root: YamlPart | undefined,
  path: KeyPath,
  isExpected: (misread: Misread, path: KeyPath) => boolean,
): Problem[] {
  const seen = new Set<object>();
  const problems: Problem[] = [];
  const note = (misread: Misread | undefined, path: KeyPath) => {
    if (misread === undefined || seen.has(misread) || isExpected(misread, path)) return;
    seen.add(misread);
    problems.push({ path, where: positionOf(misread.offset), reason: reasons[misread.by] });
  };
  const visit = ({ node, misreadKey }: YamlPart, path: KeyPath) => {
    note(misreadKey, path);
    note(node.misread, path);
    if (node.parts.size === 0 || seen.has(node)) return;
    seen.add(node);
    const isList = Array.isArray(node.value);
    for (const [key, part] of node.parts) visit(part, [...path, isList ? Number(key) : key]);
  };
  if (root !== undefined) visit(root, path);
  return problems;
}

/** Whether a path of a stack's config leads to a time, which may be written in each form that the engine reads. */
export function isTimeSetting([first, ...rest]: KeyPath): boolean {
  if (first === "overrides") return rest.at(-1) === "until";
  const [, setting, ...inside] = rest;
  if (first !== "fleets") return false;
  return setting === "overrides" ? inside.at(-1) === "until" : setting === "rollout" && inside[0] === "freeze";
}
