import { z } from "zod";
import { formatPath } from "../api/index.ts";
import { describeIssue } from "../resources/input-schema.ts";

/** The stored state of a resource. Throws an error that says where it cannot be read and what to do; never a value. */
export function parseState<State>(schema: z.ZodType<State>, state: object, resource: string): State {
  const parsed = schema.safeParse(state);
  if (parsed.success) return parsed.data;
  const paths = [...new Set(parsed.error.issues.map(({ path }) => formatPath(path) || "(all of it)"))];
  throw new Error(
    `the stored state of ${resource} cannot be read at ${paths.join(", ")}. Nothing was changed. ` +
      "If a newer version of pulumi-integration-platform wrote it, install that version and run `pulumi refresh`; " +
      "else correct it with `pulumi stack export` and `pulumi stack import`, " +
      "or remove the resource from the state with `pulumi state delete`, which leaves the platform as it is",
  );
}

/** The inputs of a resource, all of them known. Throws an error that says what is wrong with each; never a value. */
export function parseInputs<Inputs>(schema: z.ZodType<Inputs>, inputs: object, resource: string): Inputs {
  const parsed = schema.safeParse(inputs);
  if (parsed.success) return parsed.data;
  throw new Error(describeInputs(parsed.error, schema, resource));
}

/** An error in words where it is one of zod's: some inputs are not known before a lifecycle looks at them. */
export function inWords(error: unknown, schema: z.ZodType, resource: string): unknown {
  return error instanceof z.ZodError ? new Error(describeInputs(error, schema, resource)) : error;
}

function describeInputs({ issues }: z.ZodError, schema: z.ZodType, resource: string): string {
  const problems = issues
    .flatMap((issue) => describeIssue(issue, schema))
    .map(({ path, reason }) => `${formatPath(path)} ${reason}`.trim());
  return `the inputs of ${resource} cannot be used: ${problems.join("; ")}. Correct them, then run up again`;
}
