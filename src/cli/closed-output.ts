import { fstatSync, writeFileSync } from "node:fs";
import type { Writable } from "node:stream";
import { messageOf } from "./output.ts";
import { exitCodes } from "./subcommand.ts";

/**
 * Lets the reader of standard output, such as `head`, close it early. The command then ends with its own exit code. If an
 * output cannot be written for another reason, such as a full disk, the command finishes its work, says so in one line, and
 * ends with `exitCodes.failure`: what somebody reads later is not complete.
 *
 * @returns a signal that is aborted once nothing can be written to standard output any more.
 */
export function allowClosedOutput(): AbortSignal {
  const closing = new AbortController();
  watchOutput(process.stdout, 1, (problem) => {
    console.error(`error: cannot write to standard output: ${problem.message}`);
  });
  watchOutput(process.stderr, 2, () => {}); // there is no place to say it
  process.stdout.on("error", () => closing.abort());
  return closing.signal;
}

function watchOutput(stream: NodeJS.WriteStream, file: number, say: (problem: Error) => void): void {
  if (fstatSync(file).isFile()) stream._write = wholeWrite(file);
  let hasFailed = false;
  const fail = (problem: Error | null) => {
    if (hasFailed || problem === null || ("code" in problem && problem.code === "EPIPE")) return;
    hasFailed = true;
    say(problem);
  };
  stream.on("error", fail);
  process.once("exit", () => {
    if (hasFailed) process.exitCode = exitCodes.failure;
  });
}

/** Node takes what a file on an almost full disk holds of a write for all of it: the rest would be missing without an error. */
function wholeWrite(file: number): Writable["_write"] {
  return (chunk, _encoding, callback) => {
    try {
      writeFileSync(file, chunk);
      callback();
    } catch (error) {
      callback(error instanceof Error ? error : new Error(messageOf(error)));
    }
  };
}
