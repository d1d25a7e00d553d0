import { z } from "zod";
import { parseJson } from "../json/parse-json.ts";
import { type ResourceType, resourceTypeOf } from "../resources/pulumi/type-token.ts";
import { reasonLines, runPulumi } from "./run-pulumi.ts";
import type { Place } from "./shell.ts";
import type { StackChoice } from "./stack-choice.ts";
import { CommandError } from "./subcommand.ts";

/** A stack's state, reduced to the resources of this package. */
export interface ExportedStack {
  /** Absent if neither the command line nor the state names it. */
  stack: string | undefined;
  project: string | undefined;
  resources: ExportedResource[];
}

/** A resource of this package in a state. Secret values are encrypted. */
export interface ExportedResource {
  urn: string;
  type: ResourceType;
  /** Whether the resource has the option of this name. */
  retainOnDelete: boolean;
  outputs: Record<string, unknown>;
  /** The URNs of the resources whose outputs an input has, by the name of the input. */
  propertyDependencies: Readonly<Record<string, readonly string[] | null>>;
}

/**
 * Reads the state of a stack with the Pulumi CLI.
 *
 * @throws CommandError if the CLI cannot read it.
 */
export async function exportedResources(place: Place, { stack, cwd }: StackChoice): Promise<ExportedStack> {
  const named = stack === undefined ? [] : ["--stack", stack];
  const { code, stdout, stderr } = await runPulumi(place, ["stack", "export", "--non-interactive", ...named], { cwd });
  const what = stack === undefined ? "the selected stack" : `stack "${stack}"`;
  if (code !== 0) throw new CommandError(`cannot read the state of ${what}:${reasonLines([stderr])}`);
  // Never in a message: a state has the values of all resources.
  const parsed = parseJson(stdout);
  const state = parsed.isJson ? stateSchema.safeParse(parsed.value).data : undefined;
  if (state === undefined) throw new CommandError(`\`pulumi stack export\` did not print the state of ${what}`);
  const all = state.deployment.resources ?? [];
  const [stackOfState, project] = all[0]?.urn.replace("urn:pulumi:", "").split("::") ?? [];
  return { stack: stackOfState ?? stack, project, resources: all.flatMap(ownResource) };
}

const resourceSchema = z.looseObject({
  urn: z.string(),
  type: z.string(),
  /** The old resource of a replacement, which is still to be deleted. */
  delete: z.boolean().optional(),
  retainOnDelete: z.boolean().optional(),
  outputs: z.record(z.string(), z.unknown()).optional(),
  propertyDependencies: z.record(z.string(), z.array(z.string()).nullable()).nullish(),
});
const stateSchema = z.looseObject({ deployment: z.looseObject({ resources: z.array(resourceSchema).nullish() }) });

function ownResource({
  urn,
  type: token,
  delete: isReplaced,
  retainOnDelete = false,
  outputs = {},
  propertyDependencies,
}: z.infer<typeof resourceSchema>): ExportedResource[] {
  const type = resourceTypeOf(token);
  if (type === undefined || isReplaced) return [];
  return [{ urn, type, retainOnDelete, outputs, propertyDependencies: propertyDependencies ?? {} }];
}
