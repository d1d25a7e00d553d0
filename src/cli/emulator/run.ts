import { readFileSync } from "node:fs";
import { createEmulator, type EmulatorOptions } from "../../emulator/index.ts";
import { isLoopbackName } from "../../emulator/rules/loopback.ts";
import { variantsOfProfile } from "../../emulator/variants-of-profile.ts";
import { answersOf, ProfileError, parseProfile } from "../../platform-profile/profile.ts";
import { messageOf } from "../output.ts";
import { serve } from "../serve.ts";
import { pathIn, type Shell } from "../shell.ts";
import { CommandError, type ExitCode } from "../subcommand.ts";

/** Starts the emulator and prints where it listens and which API key it accepts. */
export async function runEmulator(
  shell: Shell,
  { data, seed, profile, ...options }: EmulatorOptions & { host: string; profile?: string | undefined },
): Promise<ExitCode> {
  if (!isLoopbackName(options.host)) {
    shell.stderr.write(
      `warning: other machines can reach this emulator on ${options.host} and control it without an API key\n`,
    );
  }
  const played = profile === undefined ? undefined : playedProfile(shell, profile);
  return serve(shell, async () => {
    const emulator = await createEmulator({
      ...options,
      variants: { ...played?.variants, ...options.variants },
      lagSeconds: options.lagSeconds ?? played?.lagSeconds,
      ...(data !== undefined && { data: pathIn(shell, data) }),
      ...(seed !== undefined && { seed: typeof seed === "string" ? pathIn(shell, seed) : seed }),
    });
    const { url, apiKey } = emulator;
    shell.stdout.write(`Address: ${url}\nAPI key: ${apiKey}\nConsole: ${url}/console\n`);
    return emulator;
  });
}

/** How the emulator plays a profile, with a warning for what it cannot play. */
function playedProfile(shell: Shell, path: string) {
  try {
    const played = variantsOfProfile(answersOf(parseProfile(readFileSync(pathIn(shell, path), "utf8"), path)));
    for (const question of played.notPlayed) {
      shell.stderr.write(`warning: the emulator cannot play the answer of ${path} to ${question}\n`);
    }
    return played;
  } catch (error) {
    if (error instanceof ProfileError) throw new CommandError(error.message, { cause: error });
    throw new CommandError(`cannot read the profile ${path}: ${messageOf(error)}`, { cause: error });
  }
}
