import * as pulumi from "@pulumi/pulumi";

/**
 * Where in the inputs there are secrets, as paths such as `configs.api_token`. The engine encrypts an output only at the
 * path of a secret input, and it does not see a change of secrecy as a change: with the paths as an input of their own,
 * a leaf that becomes secret is stored anew.
 *
 * @returns nothing where no leaf can be secret, so that the state of most resources is without it.
 */
export function secretPaths(inputs: Record<string, unknown>): { secretPaths?: pulumi.Output<string[]> } {
  const outputs = outputsIn(inputs, []);
  if (outputs.length === 0) return {};
  const secrecy = outputs.map(async ({ path, output }) => ((await pulumi.isSecret(output)) ? [path] : []));
  return { secretPaths: pulumi.output(Promise.all(secrecy)).apply((paths) => paths.flat().sort()) };
}

function outputsIn(value: unknown, path: readonly string[]): { path: string; output: pulumi.Output<unknown> }[] {
  if (pulumi.Output.isInstance(value)) return [{ path: path.join("."), output: value }];
  if (typeof value !== "object" || value === null || value instanceof Promise) return [];
  return Object.entries(value).flatMap(([key, item]) => outputsIn(item, [...path, key]));
}
