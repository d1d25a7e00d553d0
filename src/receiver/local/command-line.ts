import { parseArgs } from "node:util";
import { parsePort } from "../../server-command.ts";

/** The port when none is given. */
export const defaultPort = 4020;

export const usage = `A receiver of the integration platform's webhooks, on this machine.

  --port N       default ${defaultPort}; 0 takes any free one
  --data FILE    keeps queue and ledger in this SQLite file; default: in memory
  --token TEXT   the secret in the URL, at least 16 characters; default: a random one, anew at each start
  --help         this text

It prints the URL to set in the management console (Settings, Notifications & Webhooks), and each event in one line.`;

/** What a command line asks for. */
export interface Arguments {
  readonly port: number;
  readonly data: string | undefined;
  readonly token: string | undefined;
}

/**
 * What a command line asks for; "help" for `--help`.
 *
 * @throws Error that says which argument is wrong.
 */
export function parseCommandLine(args: readonly string[]): Arguments | "help" {
  const { values } = parseArgs({
    args: [...args],
    options: {
      port: { type: "string" },
      data: { type: "string" },
      token: { type: "string" },
      help: { type: "boolean", short: "h" },
    },
  });
  if (values.help) return "help";
  return { port: parsePort(values.port ?? String(defaultPort)), data: values.data, token: values.token };
}
