import { z } from "zod";
import { describeIssues } from "../inputs/describe-issues.ts";
import { formatPath } from "../json/key-path.ts";
import { shortList } from "../json/short-list.ts";

/** Parses the stored state of a resource. The error names the invalid paths and what to do, but no values. */
export function parseState<State>(schema: z.ZodType<State>, state: object, resource: string): State {
  const parsed = schema.safeParse(state);
  if (parsed.success) return parsed.data;
  const paths = [...new Set(parsed.error.issues.map(({ path }) => formatPath(path) || "(all of it)"))];
  throw new Error(
    `the stored state of ${resource} cannot be read at ${shortList(paths)}. Nothing was changed. ` +
      "If a newer version of pulumi-integration-platform wrote it, install that version and run `pulumi refresh`; " +
      "else correct it with `pulumi stack export` and `pulumi stack import`, " +
      "or remove the resource from the state with `pulumi state delete`, which leaves the platform as it is",
  );
}

/** Parses the inputs of a resource, all of them known. The error has a reason for each invalid path, but no values. */
export function parseInputs<Inputs>(schema: z.ZodType<Inputs>, inputs: object, resource: string): Inputs {
  const parsed = schema.safeParse(inputs);
  if (parsed.success) return parsed.data;
  throw new Error(describeInputs(parsed.error, schema, inputs, resource));
}

/** Converts an error of zod to a readable one. A lifecycle throws such errors for inputs that were unknown in `check`. */
export function inWords(error: unknown, schema: z.ZodType, resource: string): unknown {
  return error instanceof z.ZodError ? new Error(describeInputs(error, schema, undefined, resource)) : error;
}

function describeInputs({ issues }: z.ZodError, schema: z.ZodType, inputs: unknown, resource: string): string {
  const problems = describeIssues(issues, schema, inputs).map(({ path, reason }) =>
    `${formatPath(path)} ${reason}`.trim(),
  );
  return `the inputs of ${resource} cannot be used: ${shortList(problems, { separator: "; " })}. Correct them, then run up again`;
}
