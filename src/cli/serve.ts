import { once } from "node:events";
import { InvalidArgumentError } from "@commander-js/extra-typings";
import { messageOf } from "./output.ts";
import type { Shell } from "./shell.ts";
import { CommandError, type ExitCode, exitCodes } from "./subcommand.ts";

/**
 * Starts a server, and closes it when the process receives SIGINT or SIGTERM.
 *
 * @param start resolves when the server listens. The server keeps the process running.
 * @param options `needsReader`: whether it also closes once nobody reads its output any more. Default false.
 * @throws CommandError if the server does not start, for example because its port is in use.
 */
export async function serve(
  { closedOutput, interruption }: Shell,
  start: () => Promise<{ close(): Promise<void> }>,
  { needsReader = false }: { needsReader?: boolean } = {},
): Promise<ExitCode> {
  const interrupted = interruption(); // before the start, which may print what others wait for
  const server = await start().catch((cause: unknown) => {
    throw new CommandError(messageOf(cause), { cause });
  });
  const ended = AbortSignal.any([interrupted, ...(needsReader ? [closedOutput] : [])]);
  if (!ended.aborted) await once(ended, "abort");
  await server.close();
  return exitCodes.success;
}

/** The exit codes of {@link serve}, for a help text. */
export const serverExitCodes = [
  "0   stopped by SIGINT or SIGTERM",
  "1   failure, for example because the port is in use",
  "64  the command line is wrong",
] as const;

/** Parses the argument of `--port`. */
export function parsePort(text: string): number {
  const port = Number(text);
  if (/^\d+$/.test(text) && port <= 65_535) return port;
  throw new InvalidArgumentError("It must be a number from 0 to 65535; 0 takes any free port.");
}
