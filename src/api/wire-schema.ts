import * as z from "zod";
import { isJsonObject, type JsonObject, type JsonValue } from "../json/json-value.ts";
import { formatPath, valueAt } from "../json/key-path.ts";

/**
 * The schema of an object of the API. Unknown fields pass, as the platform may add some; the inferred type hides them, so
 * that the compiler still finds a misspelt field.
 */
export function wireObject<Shape extends z.core.$ZodShape>(shape: Shape): z.ZodObject<Shape, z.core.$strip>;
export function wireObject(shape: z.core.$ZodShape): z.ZodObject {
  return z.looseObject(shape);
}

/**
 * The schema of a list of the API. It stops after a few invalid items: millions of them would become millions of issues,
 * which could exhaust the memory.
 */
export function wireList<Value>(itemSchema: z.ZodType<Value>) {
  return z.custom<unknown[]>(Array.isArray, { error: "expected array" }).transform((items, context): Value[] => {
    const values: Value[] = [];
    let invalidItems = 0;
    for (const [index, item] of items.entries()) {
      const parsed = itemSchema.safeParse(item);
      if (parsed.success) {
        values.push(parsed.data);
        continue;
      }
      for (const issue of parsed.error.issues.slice(0, maxInvalidItems)) {
        context.issues.push({ ...issue, input: undefined, path: [index, ...issue.path] });
      }
      invalidItems += 1;
      if (invalidItems === maxInvalidItems) break;
    }
    return values;
  });
}

const maxInvalidItems = 10;

/** The schema of a field that has a default where it is absent or null. */
export function withDefault<Value>(schema: z.ZodType<Value>, defaultValue: () => Value) {
  return schema.nullish().transform((value) => value ?? defaultValue());
}

/** A free-form object of the specification. A parsed body holds nothing but JSON, so only the outermost level is checked. */
export const freeFormObject = z.custom<JsonObject>(isJsonObject, { error: "expected object" });

/** Any JSON value. */
export const anyJsonValue = z.custom<JsonValue>((value) => value !== undefined, { error: "expected a value" });

/** A record's id. `z.int` refuses integers beyond 2^53, which JavaScript cannot hold. */
export const recordId = z.int();

/** Describes the first issue by its path and the expected and actual type; never by the value, which may be a secret. */
export function describeMismatch(error: z.ZodError, body: unknown): string {
  const [first, ...others] = error.issues;
  if (first === undefined) return "a body of another shape";
  const more = others.length === 0 ? "" : ` (and ${others.length} more)`;
  return `${formatPath(first.path) || "the body"}: ${describeIssue(first, body)}${more}`;
}

function describeIssue(issue: z.core.$ZodIssue, body: unknown): string {
  const got = `got ${kindOf(valueAt(body, issue.path))}`;
  if (issue.code === "invalid_type") {
    return `expected ${issue.expected}, ${got}`;
  }
  return issue.code === "custom" ? `${issue.message}, ${got}` : issue.message;
}

function kindOf(value: unknown): string {
  if (value === undefined) return "nothing";
  if (value === null) return "null";
  return Array.isArray(value) ? "array" : typeof value;
}
