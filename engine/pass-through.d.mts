import type { ChildProcess } from "node:child_process";

/**
 * Runs a program in place of this process: stdio inherited, signals forwarded.
 *
 * Resolves to its exit code; where a signal ended it, this process ends by the same signal. Rejects if it cannot be
 * started.
 */
export function passThrough(
  command: string,
  args: readonly string[],
  options?: { readonly env?: NodeJS.ProcessEnv; readonly cwd?: string },
): Promise<number>;

/** Forwards the signals that ask this process to end, until the function it answers is called. */
export function forwardSignalsTo(child: ChildProcess): () => void;
