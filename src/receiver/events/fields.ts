import * as z from "zod";

/**
 * An integer that identifies what an event is about. An integer that was sent as a decimal string is read as an integer.
 * Integers beyond 2^53 are invalid: JavaScript would round them, and two events could look like the same.
 */
export const id = z.union([
  z.int(),
  z
    .string()
    .regex(/^-?\d{1,16}$/)
    .transform(Number)
    .pipe(z.int()),
]);

/** Any other field. It is undefined if it is missing or has another type: the rest of the event must not suffer from it. */
export const integer = optional(id);
export const text = optional(z.string());
/** ISO 8601. Undefined only if it is no string. */
export const time = optional(z.string());
/** A URL. Undefined only if it is no string. */
export const link = optional(z.string());

function optional<Field extends z.ZodType>(field: Field) {
  return field.optional().catch(undefined);
}

/** What the specification says about a field. */
interface SpecifiedType {
  readonly schema: z.ZodType;
  readonly name: string;
}

const specifiedInteger = { schema: z.int(), name: "integer" };

const specifiedTypes = new Map<z.core.$ZodType, SpecifiedType>([
  [id, specifiedInteger],
  [integer, specifiedInteger],
  [text, { schema: z.string(), name: "string" }],
  [time, { schema: z.iso.datetime({ offset: true }), name: "ISO 8601 time" }],
  [link, { schema: z.url(), name: "URL" }],
]);

/** How the fields of a payload deviate from the specification. Names fields and types, but never a value. */
export function deviationsOf(payload: Readonly<Record<string, unknown>>, shape: z.core.$ZodShape): string[] {
  return Object.entries(shape).flatMap(([name, field]) => {
    const specified = specifiedTypes.get(field);
    if (specified === undefined || specified.schema.safeParse(payload[name]).success) return [];
    return [`${name}: expected ${specified.name}, got ${kindOf(payload[name])}`];
  });
}

function kindOf(value: unknown): string {
  if (value === undefined) return "nothing";
  if (value === null) return "null";
  return Array.isArray(value) ? "array" : typeof value;
}
