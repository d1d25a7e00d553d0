import * as pulumi from "@pulumi/pulumi";
import type { z } from "zod";
import { ApiError, ConfigurationError } from "../api/index.ts";
import { shapeFailures } from "../inputs/input-schema.ts";
import type { OperationContext } from "../operation/operation-context.ts";
import { UnknownNameError } from "../snapshot/index.ts";
import { programContext } from "./program-context.ts";

/** The arguments of an `...Output` form. Each may be an output of a resource. */
export type InputsOf<Args> = { [Key in keyof Args]: pulumi.Input<Args[Key]> };

/** A lookup in both of its forms, like Pulumi's provider functions. */
export interface Lookup<Args, Result> {
  /** Looks up immediately. Rejects with a `RunError` that has the reason and, for an unknown name, a suggestion. */
  now(args: Args): Promise<Result>;
  /** Looks up as soon as the arguments are known, which in a preview may be never. */
  later(args: InputsOf<Args>): pulumi.Output<Result>;
}

/**
 * Creates a lookup.
 *
 * @param name the name of the function, such as `getTenant`. Every message begins with it.
 */
export function lookup<Args extends object, Result>(
  name: string,
  schema: z.ZodType<Args>,
  find: (context: OperationContext, args: Args) => Promise<Result>,
): Lookup<Args, Result> {
  const look = async (args: object): Promise<Result> => {
    const [failure] = shapeFailures(schema, args).map(({ property, reason }) => `${property} ${reason}`.trim());
    if (failure !== undefined) throw new pulumi.RunError(`${name}: ${failure}`);
    try {
      return await find(programContext(), schema.parse(args));
    } catch (error) {
      const isExpected = [ApiError, ConfigurationError, UnknownNameError].some((kind) => error instanceof kind);
      if (!isExpected || !(error instanceof Error)) throw error;
      throw new pulumi.RunError(`${name}: ${error.message}`);
    }
  };
  return { now: look, later: (args) => pulumi.output<object>(args).apply(look) };
}
