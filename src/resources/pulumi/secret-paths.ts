import * as pulumi from "@pulumi/pulumi";

/** The keys that lead from a resource's inputs to a value. The index of a list item is a key too, such as `"0"`. */
type Path = readonly string[];

type Unknown = typeof pulumi.unknown;

/**
 * The paths of the secrets in the inputs, such as `["configs", "api_token"]`. The engine encrypts an output only at the path
 * of a secret input, and it ignores a change of secrecy alone. With the paths as an input, a value that becomes secret is a
 * change, so that its state is written again. Transformations run later, so these are not all: see `possibleSecretsOf`.
 *
 * @returns an empty object if there are no secrets, so that the states of most resources don't have the paths. They are unknown
 * if a preview does not know all values.
 */
export function secretPaths(inputs: Record<string, unknown>): {
  secretPaths?: pulumi.Output<(string[] | Unknown)[] | undefined>;
} {
  if (!hasLaterPart(inputs)) return {};
  const found = secretsIn(inputs, []).then((paths) => (paths.length === 0 ? undefined : paths.sort(byKeys)));
  return { secretPaths: pulumi.output(found) };
}

/** Whether a part of the value is an output or a promise. Only these can contain secrets. */
function hasLaterPart(value: unknown): boolean {
  if (pulumi.Output.isInstance(value) || value instanceof Promise) return true;
  return isBranch(value) && Object.values(value).some(hasLaterPart);
}

/** With an unknown among the paths, the SDK takes all of them for unknown. */
async function secretsIn(value: unknown, path: Path): Promise<(string[] | Unknown)[]> {
  if (value instanceof Promise) return secretsIn(await value, path);
  if (pulumi.Output.isInstance(value)) return secretsInOutput(value, path);
  if (!isBranch(value)) return [];
  const found = Object.entries(value).map(([key, item]) => secretsIn(item, [...path, key]));
  return (await Promise.all(found)).flat();
}

/** An output that is no secret may resolve to an object with secrets. */
async function secretsInOutput(output: pulumi.Output<unknown>, path: Path) {
  if (await pulumi.isSecret(output)) return [[...path]];
  let found: (string[] | Unknown)[] = [pulumi.unknown];
  const looked = output.apply(async (value) => {
    found = await secretsIn(value, path);
  });
  await pulumi.isSecret(looked); // known once the function has run, or will not run
  return found;
}

function isBranch(value: unknown): value is object {
  return typeof value === "object" && value !== null && !(value instanceof pulumi.Resource);
}

function byKeys(left: unknown, right: unknown): number {
  const [one, other] = [JSON.stringify(left), JSON.stringify(right)];
  return one < other ? -1 : one > other ? 1 : 0;
}
