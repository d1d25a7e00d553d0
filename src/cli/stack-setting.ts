import { z } from "zod";
import type { JsonValue } from "../json/json-value.ts";
import { parseJson } from "../json/parse-json.ts";
import { isSecretName, isSecretValue } from "../settings/secret-detection.ts";
import { reasonLines, runPulumi } from "./run-pulumi.ts";
import type { Place } from "./shell.ts";
import type { StackChoice } from "./stack-choice.ts";
import { CommandError } from "./subcommand.ts";

/**
 * Reads the config of a stack with the Pulumi CLI. Returns the value of a key of the namespace `integration-platform`, as
 * `pulumi.Config` does.
 *
 * @param needsSecrets whether secrets are decrypted, which takes the stack's passphrase. Default: only if the environment
 * has no API key.
 * @param seconds how long the CLI may take. Default: as long as it takes.
 * @throws CommandError if the CLI cannot read the stack.
 */
export async function stackSetting(
  place: Place,
  { stack, cwd }: StackChoice,
  needsSecrets = !place.env.INTEGRATION_PLATFORM_API_KEY,
  seconds?: number,
): Promise<(key: string) => string | undefined> {
  const config = await readConfig(place, { stack, cwd }, needsSecrets, seconds);
  return (key) => config[`integration-platform:${key}`]?.value;
}

/**
 * The secret values of a stack's config, decrypted: of a secret that is an object, what is or looks like a secret by its name.
 *
 * @throws CommandError if the CLI cannot read the stack.
 */
export async function stackSecrets(place: Place, choice: StackChoice): Promise<JsonValue[]> {
  const config = await readConfig(place, choice, true);
  return Object.values(config).flatMap(({ value, secret }) => {
    if (secret !== true || value === undefined) return [];
    const parsed = parseJson(value);
    return parsed.isJson && typeof parsed.value === "object" ? secretLeaves(parsed.value) : [value];
  });
}

function secretLeaves(value: unknown, name = ""): JsonValue[] {
  if (typeof value === "object" && value !== null) {
    const isList = Array.isArray(value);
    return Object.entries(value).flatMap(([key, item]) =>
      secretLeaves(item, isList || isSecretName(name) ? name : key),
    );
  }
  if (typeof value === "number") return isSecretName(name) ? [value] : [];
  return typeof value === "string" && (isSecretName(name) || isSecretValue(value)) ? [value] : [];
}

async function readConfig(
  place: Place,
  { stack, cwd }: StackChoice,
  needsSecrets: boolean,
  seconds?: number,
): Promise<z.infer<typeof configSchema>> {
  const secrets = needsSecrets ? ["--show-secrets"] : [];
  const named = stack === undefined ? [] : ["--stack", stack];
  const { code, stdout, stderr } = await runPulumi(
    place,
    ["config", "--json", "--non-interactive", ...secrets, ...named],
    {
      cwd,
      seconds,
    },
  );
  const what = stack === undefined ? "the selected stack" : `stack "${stack}"`;
  if (code !== 0) throw new CommandError(`cannot read the config of ${what}:${reasonLines([stderr])}`);
  // Never in a message: what the CLI printed may hold secrets.
  const parsed = parseJson(stdout);
  const config = parsed.isJson ? configSchema.safeParse(parsed.value).data : undefined;
  if (config === undefined) throw new CommandError(`\`pulumi config\` did not print the config of ${what} as JSON`);
  return config;
}

const configSchema = z.record(
  z.string(),
  z.looseObject({ value: z.string().optional(), secret: z.boolean().optional() }),
);
