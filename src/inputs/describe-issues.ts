import * as z from "zod";
import { type KeyPath, valueAt } from "../json/key-path.ts";
import { closest, didYouMean } from "./did-you-mean.ts";

/** An invalid part of a value: its path, and what is wrong and what would be valid. */
export interface DescribedIssue {
  path: KeyPath;
  reason: string;
  /** Set if the path leads to a key that its object does not have. */
  isUnknownKey?: true;
}

/**
 * What the keys of an object are, for messages about unknown keys: `a setting of a tenant`. `known` are the keys that users write,
 * if they differ from those of the schema.
 */
export const keyNouns = z.registry<{ noun: string; known?: readonly string[] }>();

/**
 * Paths and reasons for the issues of an invalid value. Each unknown key gets its own path and a suggestion. They come first: one
 * may be the cause of a key that is missing. A reason never contains the value.
 *
 * @param root the invalid value, if it is known.
 */
export function describeIssues(
  issues: readonly z.core.$ZodIssue[],
  schema: z.ZodType,
  root?: unknown,
): DescribedIssue[] {
  const withUnknownKeys = new Set(issues.filter(isUnknownKeys).map(({ path }) => path.join("\n")));
  return [
    ...issues.filter(isUnknownKeys).flatMap((issue) => describeUnknownKeys(issue, schema)),
    ...issues
      .filter((issue) => !isUnknownKeys(issue))
      // Other rules of an object with an unknown key are broken because the key is wrong.
      .filter(({ code, path }) => code !== "custom" || !withUnknownKeys.has(path.join("\n")))
      .map((issue) => {
        const { path, message } = issue;
        return { path, reason: root === undefined ? message : reasonOf(issue, valueAt(root, path)) };
      }),
  ];
}

function isUnknownKeys(issue: z.core.$ZodIssue): issue is z.core.$ZodIssueUnrecognizedKeys {
  return issue.code === "unrecognized_keys";
}

function describeUnknownKeys({ path, keys }: z.core.$ZodIssueUnrecognizedKeys, schema: z.ZodType): DescribedIssue[] {
  const [object] = objectsAt(schema, path);
  const { noun = "an input", known = Object.keys(object?.shape ?? {}) } = (object && keyNouns.get(object)) ?? {};
  const written = known.filter((key) => !internalInputs.has(key));
  return keys.map((key) => ({
    path: [...path, key],
    reason: `is not ${noun}${didYouMean(key, written)}`,
    isUnknownKey: true,
  }));
}

/** Inputs that the resource classes add. Users do not write them. */
const internalInputs = new Set(["logicalName", "secretPaths"]);

/** The objects that a schema allows at a path: several if it is a union. */
function objectsAt(schema: z.core.$ZodType | undefined, path: KeyPath): z.ZodObject[] {
  const [key, ...rest] = path;
  if (schema instanceof z.ZodOptional) return objectsAt(schema.unwrap(), path);
  if (schema instanceof z.ZodUnion) return schema.options.flatMap((option) => objectsAt(option, path));
  if (schema instanceof z.ZodRecord) return objectsAt(schema.valueType, rest);
  if (schema instanceof z.ZodArray) return objectsAt(schema.element, rest);
  if (!(schema instanceof z.ZodObject)) return [];
  return key === undefined ? [schema] : objectsAt(schema.shape[String(key)], rest);
}

/** The schema's message, and what the value suggests as the cause. */
function reasonOf(issue: z.core.$ZodIssue, value: unknown): string {
  const { message } = issue;
  if (value === null) return `has no value; ${message.replace(/^must/, "it must")}`;
  if (value === undefined) return `is required; ${message.replace(/^must/, "it must")}`;
  return `${message}${typeof value === "string" ? hintOnString(issue, value) : hintOnOther(issue, value)}`;
}

function hintOnString(issue: z.core.$ZodIssue, value: string): string {
  const expected = expectedTypes(issue);
  const isQuoted =
    (expected.has("boolean") && /^(true|false)$/i.test(value)) || (isNumber(expected) && /^-?\d+$/.test(value));
  if (isQuoted) return ": remove the quotes";
  if (expected.has("boolean") && /^(y|yes|n|no|on|off)$/i.test(value))
    return '; "yes", "no", "on" and "off" are strings';
  const match = issue.code === "invalid_value" ? closest(value, issue.values.map(String)) : undefined;
  return match === undefined ? "" : `; did you mean "${match}"?`;
}

function hintOnOther(issue: z.core.$ZodIssue, value: unknown): string {
  const isScalar = typeof value === "number" || typeof value === "boolean";
  return issue.code === "invalid_type" && issue.expected === "string" && isScalar ? ": write it in quotes" : "";
}

function isNumber(types: ReadonlySet<string>): boolean {
  return types.has("number") || types.has("int");
}

function expectedTypes(issue: z.core.$ZodIssue): ReadonlySet<string> {
  const issues = issue.code === "invalid_union" ? issue.errors.flat() : [issue];
  return new Set(issues.flatMap((one) => (one.code === "invalid_type" ? [one.expected] : [])));
}
