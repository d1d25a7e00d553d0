import { ApiError, ConfigurationError, createClient } from "../api/index.ts";
import { connectionSettings } from "../connection/connection-settings.ts";
import { createOperationContext, type OperationContext } from "../operation/operation-context.ts";
import { UnknownNameError } from "../snapshot/index.ts";
import { CommandError } from "./subcommand.ts";

/**
 * Does work on the platform that the environment names, and closes the connection afterwards. Warnings go to standard
 * error.
 *
 * @throws CommandError if the connection is not configured, a request fails, or a name is unknown on the platform.
 */
export async function withPlatform<Result>(work: (platform: OperationContext) => Promise<Result>): Promise<Result> {
  try {
    const client = createClient(connectionSettings(() => undefined));
    try {
      return await work(createOperationContext({ client, warn: (message) => console.error(`warning: ${message}`) }));
    } finally {
      await client.close();
    }
  } catch (error) {
    const isExplained = [ApiError, ConfigurationError, UnknownNameError].some((kind) => error instanceof kind);
    if (!isExplained || !(error instanceof Error)) throw error;
    throw new CommandError(error.message, { cause: error });
  }
}

/** An integration as a command line names it: a whole number is an id, everything else is a name. */
export function parseNameOrId(text: string): string | number {
  return /^\d+$/.test(text) ? Number(text) : text;
}
