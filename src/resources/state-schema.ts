import { z } from "zod";

/** The shape with each optional field left out where its value cannot be read. */
export function lenient<Shape extends z.core.$ZodShape>(shape: Shape): Shape;
export function lenient(shape: z.core.$ZodShape): object {
  const fields = Object.entries(shape).map(([key, field]) => [
    key,
    field instanceof z.ZodOptional ? field.catch(undefined) : field,
  ]);
  return Object.fromEntries(fields);
}
