import * as pulumi from "@pulumi/pulumi";

/** The keys that lead from a resource's inputs to a value; an index of a list is a key like any other, `"0"`. */
type Path = readonly string[];

/**
 * Where in the inputs there are secrets, as lists of keys such as `["configs", "api_token"]`. The engine encrypts an
 * output only at the path of a secret input, and it does not see a change of secrecy as a change: with the paths as an
 * input of their own, a leaf that becomes secret is stored anew.
 *
 * @returns nothing where no leaf is secret, so that the state of most resources is without it.
 */
export function secretPaths(inputs: Record<string, unknown>): {
  secretPaths?: pulumi.Output<string[][] | undefined>;
} {
  if (!hasLaterPart(inputs)) return {};
  const found = secretsIn(inputs, []).then((paths) => (paths.length === 0 ? undefined : paths.sort(byKeys)));
  return { secretPaths: pulumi.output(found) };
}

/** Whether a part of the value is an output or a promise: nothing else can be, or hold, a secret. */
function hasLaterPart(value: unknown): boolean {
  if (pulumi.Output.isInstance(value) || value instanceof Promise) return true;
  return isBranch(value) && Object.values(value).some(hasLaterPart);
}

async function secretsIn(value: unknown, path: Path): Promise<string[][]> {
  if (value instanceof Promise) return secretsIn(await value, path);
  if (pulumi.Output.isInstance(value)) return secretsInOutput(value, path);
  if (!isBranch(value)) return [];
  const found = Object.entries(value).map(([key, item]) => secretsIn(item, [...path, key]));
  return (await Promise.all(found)).flat();
}

/** An output that is no secret may resolve to an object that holds some. Of what a preview does not know yet, nothing is known. */
async function secretsInOutput(output: pulumi.Output<unknown>, path: Path): Promise<string[][]> {
  if (await pulumi.isSecret(output)) return [[...path]];
  let found: string[][] = [];
  const looked = output.apply(async (value) => {
    found = await secretsIn(value, path);
  });
  await pulumi.isSecret(looked); // known once the function has run, or will not run
  return found;
}

function isBranch(value: unknown): value is object {
  return typeof value === "object" && value !== null && !(value instanceof pulumi.Resource);
}

function byKeys(left: Path, right: Path): number {
  const [one, other] = [JSON.stringify(left), JSON.stringify(right)];
  return one < other ? -1 : one > other ? 1 : 0;
}
