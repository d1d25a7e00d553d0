import { PassThrough, Writable } from "node:stream";
import type { Shell } from "../../src/cli/shell.ts";

/** A shell without a terminal, as a pipeline has it, and what was written to it so far. */
export function testShell(place: Partial<Pick<Shell, "env" | "directory">> = {}) {
  const [stdout, stderr] = [new Recorder(), new Recorder()];
  const shell: Shell = {
    env: {},
    directory: process.cwd(),
    ...place,
    stdin: new PassThrough().end(),
    stdout,
    stderr,
    styled: (_, text) => text,
    closedOutput: new AbortController().signal,
    interruption: () => new AbortController().signal,
    exitCode: 0,
    shownProgress: new Set(),
  };
  return { shell, stdout: () => stdout.text, stderr: () => stderr.text };
}

class Recorder extends Writable {
  text = "";

  override _write(chunk: unknown, _encoding: BufferEncoding, done: () => void): void {
    this.text += String(chunk);
    done();
  }
}
