import { Command } from "@commander-js/extra-typings";
import { eachOneLine } from "../json/one-line.ts";
import { type Output, printToStandardError, type Shell } from "./shell.ts";

/**
 * How every command ends. A usage error has a code of its own: a mistyped option must not look like drift to a pipeline.
 */
export const exitCodes = { success: 0, failure: 1, drift: 2, usageError: 64 } as const;

/** How `rollout status` ends, by the phase of a rollout. */
export const rolloutExitCodes = { done: 0, progressing: 2, waiting: 3, failed: 4 } as const;

/** How `sync` ends, by the outcomes of the syncs. */
export const syncExitCodes = { succeeded: 0, unknown: 2, failed: 4 } as const;

export type ExitCode =
  | (typeof syncExitCodes)[keyof typeof syncExitCodes]
  | (typeof exitCodes)[keyof typeof exitCodes]
  | (typeof rolloutExitCodes)[keyof typeof rolloutExitCodes];

/** A failure that its message explains. The command prints this message alone, without a stack trace. */
export class CommandError extends Error {
  override readonly name = "CommandError";
}

/** A mistake on the command line that only the work finds. The command ends with `exitCodes.usageError`. */
export class UsageError extends CommandError {}

/**
 * A command without options. After a help text or a mistake on its command line, it throws a `CommanderError`.
 *
 * @param path its name, after the name of the command that it belongs to if that is not the root: `rollout status`.
 */
export function createCommand({ stdout, stderr }: Shell, path: string) {
  return new Command(path.split(" ").at(-1))
    .helpOption("-h, --help", "show this help")
    .showHelpAfterError(`(${path === rootName ? "" : `${rootName} `}${path} --help shows all options)`)
    .configureOutput({
      writeOut: (text) => void stdout.write(text),
      writeErr: (text) => void stderr.write(text),
      getOutHelpWidth: () => widthOf(stdout),
      getErrHelpWidth: () => widthOf(stderr),
    })
    .exitOverride();
}

function widthOf({ isTTY, columns = 80 }: Output): number {
  return isTTY ? columns : 80;
}

/** The name of the command that all others belong to. */
export const rootName = "integration-platform";

/** A part of the help text: a title, and its lines indented below. */
export function helpSection(title: string, ...lines: readonly string[]): string {
  return `\n${title}:\n${lines.map((line) => `  ${line}`).join("\n")}`;
}

/**
 * Runs the work of a command and sets the exit code that it returns: after a {@link UsageError} `exitCodes.usageError`, after
 * any other {@link CommandError} or an error of the system, such as a full disk, `exitCodes.failure`.
 */
export async function exitWith(shell: Shell, work: () => Promise<ExitCode>): Promise<void> {
  try {
    shell.exitCode = await work();
  } catch (error) {
    if (!(error instanceof Error && (error instanceof CommandError || "syscall" in error))) throw error;
    printToStandardError(shell, `error: ${eachOneLine(error.message)}`);
    shell.exitCode = error instanceof UsageError ? exitCodes.usageError : exitCodes.failure;
  }
}
