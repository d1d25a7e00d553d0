/** A server that is started from a command line. */
export interface ServerCommand<Options> {
  usage: string;
  /** Throws an Error that says which argument is wrong. */
  parse: (args: readonly string[]) => Options | "help";
  /** Starts the server; it runs until it is closed. */
  start: (options: Options) => Promise<{ close(): Promise<void> }>;
}

/** Runs a server until SIGINT or SIGTERM, which it closes on. What goes wrong is told in a line, with exit code 1. */
export async function runServer<Options>({ usage, parse, start }: ServerCommand<Options>): Promise<void> {
  try {
    const options = parse(process.argv.slice(2));
    if (options === "help") return console.log(usage);
    const server = await start(options);
    const stop = () => {
      server.close().catch((error: unknown) => {
        console.error(error);
        process.exitCode = 1;
      });
    };
    process.once("SIGINT", stop);
    process.once("SIGTERM", stop);
  } catch (error) {
    console.error(error instanceof Error ? error.message : String(error));
    process.exitCode = 1;
  }
}

/** The value of `--port`. */
export function parsePort(text: string): number {
  const port = Number(text);
  if (/^\d+$/.test(text) && port <= 65_535) return port;
  throw new Error(`--port must be a number from 0 to 65535, not "${text}"`);
}
