import * as pulumi from "@pulumi/pulumi";
import type { z } from "zod";
import { ApiError, ConfigurationError } from "../api/index.ts";
import { shapeFailures } from "../resources/input-schema.ts";
import type { Platform } from "../resources/platform.ts";
import { UnknownNameError } from "../snapshot/index.ts";
import { programPlatform } from "./program-platform.ts";

/** The arguments of an `...Output` form: each may come from a resource. */
export type InputsOf<Args> = { [Key in keyof Args]: pulumi.Input<Args[Key]> };

/** A lookup in both of its forms, as Pulumi's provider functions have them. */
export interface Lookup<Args, Result> {
  /** Looks at once. Rejects with a `RunError` that says what is wrong, and of a name nobody knows what it may have meant. */
  now(args: Args): Promise<Result>;
  /** Looks as soon as the arguments are known; in a preview that may be never. */
  later(args: InputsOf<Args>): pulumi.Output<Result>;
}

/**
 * Makes a lookup.
 *
 * @param name begins every message: `getTenant`.
 */
export function lookup<Args extends object, Result>(
  name: string,
  schema: z.ZodType<Args>,
  find: (platform: Platform, args: Args) => Promise<Result>,
): Lookup<Args, Result> {
  const look = async (args: object): Promise<Result> => {
    const [failure] = shapeFailures(schema, args).map(({ property, reason }) => `${property} ${reason}`.trim());
    if (failure !== undefined) throw new pulumi.RunError(`${name}: ${failure}`);
    try {
      return await find(programPlatform(), schema.parse(args));
    } catch (error) {
      const isTold = [ApiError, ConfigurationError, UnknownNameError].some((kind) => error instanceof kind);
      if (!isTold || !(error instanceof Error)) throw error;
      throw new pulumi.RunError(`${name}: ${error.message}`);
    }
  };
  return { now: look, later: (args) => pulumi.output<object>(args).apply(look) };
}
