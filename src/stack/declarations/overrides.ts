import type { z } from "zod";
import { isUnknown } from "../../json/unknown.ts";
import type { ConfigNode } from "../config/config-node.ts";
import { type Problem, schemaProblems } from "../config/problems.ts";
import type { OverrideEntry } from "./overrides-schema.ts";

/** An override that a stack declares, for all of its tenants or some of them. */
export interface OverrideDeclaration extends OverrideEntry {
  /** The key of the fleet that declares it. Default: the stack declares it. */
  fleet?: string;
  node: ConfigNode;
}

/** Overrides, and what in them does not fit their schema. */
export interface ReadOverrides {
  overrides: OverrideDeclaration[];
  problems: Problem[];
}

/**
 * Reads the value of `overrides`: one, or a list.
 *
 * @param fleet the key of the fleet that declares them.
 */
export function readOverrides(
  node: ConfigNode | undefined,
  schema: z.ZodType<OverrideEntry>,
  fleet?: string,
): ReadOverrides {
  const read = itemsOf(node).map((item): ReadOverrides => {
    const [secret] = secretParts(item);
    if (secret !== undefined) {
      const reason = "must not be encrypted, as previews and messages show it: write it in plain text";
      return { overrides: [], problems: [{ ...secret.place, reason }] };
    }
    const value = asWritten(item);
    const parsed = schema.safeParse(value);
    if (!parsed.success) return { overrides: [], problems: schemaProblems(parsed.error, schema, { ...item, value }) };
    return { overrides: [{ ...parsed.data, ...(fleet === undefined ? {} : { fleet }), node: item }], problems: [] };
  });
  return { overrides: read.flatMap((one) => one.overrides), problems: read.flatMap((one) => one.problems) };
}

/** The overrides of a list, or the only one. Anything else is a problem that the schema of the stack or of the fleet finds. */
function itemsOf(node: ConfigNode | undefined): ConfigNode[] {
  if (node === undefined) return [];
  if (Array.isArray(node.value)) return [...node.value.keys()].flatMap((index) => node.part(index) ?? []);
  return isObject(node.value) || isSecret(node) ? [node] : [];
}

function isObject(value: unknown): boolean {
  return typeof value === "object" && value !== null;
}

/** The first part that is encrypted. */
function secretParts(node: ConfigNode): ConfigNode[] {
  if (isSecret(node)) return [node];
  if (!isObject(node.value)) return [];
  const keys = Array.isArray(node.value) ? [...node.value.keys()] : Object.keys(Object(node.value));
  return keys.flatMap((key) => {
    const part = node.part(key);
    return part === undefined ? [] : secretParts(part);
  });
}

function isSecret(node: ConfigNode): boolean {
  return node.isSecret || isUnknown(node.value);
}

/**
 * The value with `until` as the file has it. The engine reads a day as its first moment: the override would end before the day
 * that it names, and not everybody means that.
 */
function asWritten(node: ConfigNode): unknown {
  const until = node.part("until")?.written;
  return typeof until === "string" && isObject(node.value) ? { ...Object(node.value), until } : node.value;
}
