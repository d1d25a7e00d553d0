import { z } from "zod";
import { parseJson } from "../json/parse-json.ts";
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
  return (key) => config[`integration-platform:${key}`]?.value;
}

const configSchema = z.record(z.string(), z.looseObject({ value: z.string().optional() }));
