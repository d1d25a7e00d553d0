import { z } from "zod";
import { isJsonObject, type JsonObject, type JsonValue } from "./json.ts";

/**
 * The schema of an object of the API. Fields that the specification does not know pass through, so that the platform can add some;
 * the inferred type hides them, so that the compiler still finds a misspelt field.
 */
export function wireObject<Shape extends z.core.$ZodShape>(shape: Shape): z.ZodObject<Shape, z.core.$strip>;
export function wireObject(shape: z.core.$ZodShape): z.ZodObject {
  return z.looseObject(shape);
}

/**
 * A list of the API. It gives up after a few wrong items: a body of millions of them would else become millions of
 * problems, which take more memory than there is.
 */
export function wireList<Value>(itemSchema: z.ZodType<Value>) {
  return z.custom<unknown[]>(Array.isArray, { error: "expected array" }).transform((items, context): Value[] => {
    const values: Value[] = [];
    let wrongItems = 0;
    for (const [index, item] of items.entries()) {
      const parsed = itemSchema.safeParse(item);
      if (parsed.success) {
        values.push(parsed.data);
        continue;
      }
      for (const issue of parsed.error.issues.slice(0, maxWrongItems)) {
        context.issues.push({ ...issue, input: undefined, path: [index, ...issue.path] });
      }
      wrongItems += 1;
      if (wrongItems === maxWrongItems) {
        break;
      }
    }
    return values;
  });
}

const maxWrongItems = 10;

/** A field for which the specification names what it means when it is absent or null. */
export function withDefault<Value>(schema: z.ZodType<Value>, defaultValue: () => Value) {
  return schema.nullish().transform((value) => value ?? defaultValue());
}

/** "Free-form object". A parsed body holds nothing but JSON, so only the outermost level is looked at. */
export const freeFormObject = z.custom<JsonObject>(isJsonObject, { error: "expected object" });

/** Any JSON value, where the specification leaves the shape open. */
export const anyJsonValue = z.custom<JsonValue>((value) => value !== undefined, { error: "expected a value" });

/** A record's id. Beyond 2^53 an integer would not survive JSON. */
export const recordId = z.int();

/** The first mismatch, by its path inside the body and the kinds that differ; never a value, for it may be a secret. */
export function describeMismatch(error: z.ZodError, body: unknown): string {
  const [first, ...others] = error.issues;
  if (first === undefined) {
    return "a body of another shape";
  }
  const more = others.length === 0 ? "" : ` (and ${others.length} more)`;
  return `${formatPath(first.path) || "the body"}: ${describeIssue(first, body)}${more}`;
}

/** `["status", "connectors", 3, "name"]` as `status.connectors[3].name`. */
export function formatPath(path: readonly PropertyKey[]): string {
  return path
    .map((key) => (typeof key === "number" ? `[${key}]` : `.${String(key)}`))
    .join("")
    .replace(/^\./, "");
}

function describeIssue(issue: z.core.$ZodIssue, body: unknown): string {
  const got = `got ${kindOf(valueAt(body, issue.path))}`;
  if (issue.code === "invalid_type") {
    return `expected ${issue.expected}, ${got}`;
  }
  return issue.code === "custom" ? `${issue.message}, ${got}` : issue.message;
}

function valueAt(body: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>((value, key) => {
    return typeof value === "object" && value !== null ? Reflect.get(value, key) : undefined;
  }, body);
}

function kindOf(value: unknown): string {
  if (value === undefined) {
    return "nothing";
  }
  if (value === null) {
    return "null";
  }
  return Array.isArray(value) ? "array" : typeof value;
}
