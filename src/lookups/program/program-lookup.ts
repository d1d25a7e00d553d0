import * as pulumi from "@pulumi/pulumi";
import { explained, LookupError, type LookupFunction } from "../lookup-function.ts";
import { programContext } from "./program-context.ts";

/** The arguments of an `...Output` form. Each may be an output of a resource. */
export type InputsOf<Args> = { [Key in keyof Args]: pulumi.Input<Args[Key]> };

/** A lookup in both of its forms, like Pulumi's provider functions. */
export interface ProgramLookup<Args, Result> {
  /** Looks up immediately. Rejects with a `RunError` that has the reason and, for an unknown name, a suggestion. */
  now(args: Args): Promise<Result>;
  /** Looks up as soon as the arguments are known, which in a preview may be never. */
  later(args: InputsOf<Args>): pulumi.Output<Result>;
}

/** A lookup that runs in the process of the program. */
export function programLookup<Args extends object, Result extends object>({
  name,
  invoke,
}: LookupFunction<Args, Result>): ProgramLookup<Args, Result> {
  const look = async (args: object): Promise<Result> => {
    try {
      return await invoke(programContext(), args);
    } catch (thrown) {
      const error = explained(name, thrown);
      throw error instanceof LookupError ? new pulumi.RunError(error.message) : error;
    }
  };
  return { now: look, later: (args) => pulumi.output<object>(args).apply(look) };
}
