import type { z } from "zod";
import { ApiError, ConfigurationError } from "../api/index.ts";
import { shapeFailures } from "../inputs/input-schema.ts";
import type { OperationContext } from "../operation/operation-context.ts";
import { UnknownNameError } from "../snapshot/index.ts";

/** A function that looks up data of the platform. It knows nothing of Pulumi: programs and the plugin call the same one. */
export interface LookupFunction<Args extends object, Result extends object> {
  /** The name of the function, such as `getTenant`. Every message begins with it. */
  readonly name: string;
  readonly argsSchema: z.ZodType<Args>;
  /**
   * Looks up. The result consists of JSON values.
   *
   * @param args of any shape.
   * @throws LookupError that explains what is wrong, with a suggestion for an unknown name.
   */
  invoke(context: OperationContext, args: object): Promise<Result>;
  /** The paths of the values in a result that look like secrets, by the release's schema, by their names or by their form. */
  secretPaths(context: OperationContext, result: Result): Promise<SecretPath[]>;
}

/** The keys that lead to a secret; the index of a list item is a key too. */
type SecretPath = readonly string[];

/** A lookup failed for a reason that its message explains to the user. */
export class LookupError extends Error {
  override readonly name = "LookupError";
}

/**
 * Creates a lookup.
 *
 * @param secretPaths default: no part of a result looks like a secret.
 */
export function lookupFunction<Args extends object, Result extends object>(
  name: string,
  argsSchema: z.ZodType<Args>,
  find: (context: OperationContext, args: Args) => Promise<Result>,
  secretPaths: LookupFunction<Args, Result>["secretPaths"] = async () => [],
): LookupFunction<Args, Result> {
  return {
    name,
    argsSchema,
    invoke: async (context, args) => {
      const [failure] = shapeFailures(argsSchema, args).map(({ property, reason }) => `${property} ${reason}`.trim());
      if (failure !== undefined) throw new LookupError(`${name}: ${failure}`);
      try {
        return await find(context, argsSchema.parse(args));
      } catch (error) {
        throw explained(name, error);
      }
    },
    secretPaths,
  };
}

/** What was thrown as a {@link LookupError}, if its message explains it to the user. */
export function explained(name: string, thrown: unknown): unknown {
  const isExplained = [ApiError, ConfigurationError, UnknownNameError].some((kind) => thrown instanceof kind);
  if (!isExplained || !(thrown instanceof Error)) return thrown;
  return new LookupError(`${name}: ${thrown.message}`, { cause: thrown });
}
