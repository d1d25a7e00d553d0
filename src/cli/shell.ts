import { relative, resolve } from "node:path";
import type { styleText } from "node:util";

/**
 * What a command uses of the process that it runs in, so that several commands can run in one process. Only what Node.js and
 * libraries read themselves is that of the process: the time zone, the folder of temporary files, proxies, and the settings of the
 * AWS SDK.
 */
export interface Shell {
  /** The environment variables. The programs that a command starts get them too. */
  readonly env: NodeJS.ProcessEnv;
  /** The working directory, an absolute path. */
  readonly directory: string;
  readonly stdin: NodeJS.ReadableStream & { readonly isTTY?: boolean | undefined };
  readonly stdout: Output;
  readonly stderr: Output;
  /** A text in a style if standard output is a terminal that shows colours and NO_COLOR is not set; otherwise the text alone. */
  styled(style: Style, text: string): string;
  /** Aborted once nothing can be written to standard output any more. Commands that would otherwise go on without an end then end. */
  readonly closedOutput: AbortSignal;
  /** A signal that SIGINT and SIGTERM abort. Before the first call, they end the process. */
  interruption(): AbortSignal;
  /** What the process ends with. */
  exitCode: number;
  /** Each erases a line of progress that standard error shows. */
  readonly shownProgress: Set<() => void>;
}

/** A stream that a command writes to. A terminal also has its size. */
export interface Output extends NodeJS.WritableStream {
  readonly isTTY?: boolean | undefined;
  readonly columns?: number | undefined;
  readonly rows?: number | undefined;
}

export type Style = Parameters<typeof styleText>[0];

/** Where a command starts other programs, and where its relative paths begin. */
export type Place = Pick<Shell, "env" | "directory">;

/** The absolute path of a file that a command line names. */
export function pathIn({ directory }: Pick<Shell, "directory">, path: string): string {
  return resolve(directory, path);
}

/** A path as a command shows it: relative to the working directory. */
export function shownPath({ directory }: Pick<Shell, "directory">, path: string): string {
  return relative(directory, path);
}

/** Prints a line to standard error, not into the line of `withProgress`. */
export function printToStandardError(
  { stderr, shownProgress }: Pick<Shell, "stderr" | "shownProgress">,
  line: string,
): void {
  for (const erase of shownProgress) erase();
  stderr.write(`${line}\n`);
}
