import { open, rm, writeFile } from "node:fs/promises";
import { pathIn, type Shell } from "./shell.ts";
import { CommandError } from "./subcommand.ts";

/** A value as indented JSON that ends with a line feed. */
export function toJson(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}

/**
 * Writes to a file, or to standard output if the path is `-`.
 *
 * @param what names the content in the error message, for example `the drift report`.
 * @param flag how the file is opened; `wx` fails if it exists.
 * @throws CommandError if the file cannot be written.
 */
export async function writeOutput(
  shell: Shell,
  path: string,
  { what, content, flag = "w" }: { what: string; content: string; flag?: "w" | "wx" },
): Promise<void> {
  if (path === "-") {
    shell.stdout.write(content);
    return;
  }
  try {
    await (flag === "wx" ? createFile(pathIn(shell, path), content) : writeFile(pathIn(shell, path), content));
  } catch (cause) {
    throw new CommandError(`cannot write ${what} to ${path}: ${messageOf(cause)}`, { cause });
  }
}

/** Writes a file that does not exist yet. After a failure there is none, so the same command can be run again. */
export async function createFile(path: string, content: string): Promise<void> {
  const file = await open(path, "wx");
  try {
    await file.writeFile(content);
  } catch (error) {
    await rm(path, { force: true });
    throw error;
  } finally {
    await file.close();
  }
}

/** The message of anything that was thrown. */
export function messageOf(thrown: unknown): string {
  return thrown instanceof Error ? thrown.message : String(thrown);
}

/** Whether an error of the system has this code, such as `ENOENT`. */
export function hasCode(error: unknown, code: string): boolean {
  return error instanceof Error && "code" in error && error.code === code;
}
