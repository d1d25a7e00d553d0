import * as z from "zod";

/** The shape with optional fields that become `undefined` where their value is invalid. */
export function lenient<Shape extends z.core.$ZodShape>(shape: Shape): Shape;
export function lenient(shape: z.core.$ZodShape): object {
  const fields = Object.entries(shape).map(([key, field]) => [
    key,
    field instanceof z.ZodOptional ? field.catch(undefined) : field,
  ]);
  return Object.fromEntries(fields);
}
