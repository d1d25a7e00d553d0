import { spawn } from "node:child_process";

/** How a command ended. `code` is null if a signal or the time limit ended it, or if it could not be started. */
export interface CommandOutcome {
  readonly code: number | null;
  readonly stdout: string;
  /** What it wrote to standard error, and in the last line why it was ended or not started. */
  readonly stderr: string;
}

export interface CommandOptions {
  readonly env?: NodeJS.ProcessEnv;
  readonly cwd?: string;
  readonly timeLimitSeconds: number;
  /** Ends the command, with everything it has started. */
  readonly signal?: AbortSignal;
  /** Is called with each part of what it writes to standard error. */
  readonly onStderr?: (text: string) => void;
}

/**
 * Runs a command without input and keeps what it prints. Never throws. At the time limit, or when this process ends,
 * the command is ended with everything it has started.
 */
export function runCommand(
  command: string,
  args: readonly string[],
  { env, cwd, timeLimitSeconds, signal, onStderr }: CommandOptions,
): Promise<CommandOutcome> {
  const limit = AbortSignal.timeout(timeLimitSeconds * 1000);
  const end = signal === undefined ? limit : AbortSignal.any([limit, signal]);
  return new Promise((resolve) => {
    // A process group of its own, so that ending it ends its children.
    const child = spawn(command, args, { env, cwd, stdio: ["ignore", "pipe", "pipe"], detached: true });
    const output = { stdout: "", stderr: "" };
    child.stdout.setEncoding("utf8").on("data", (text: string) => {
      output.stdout += text;
    });
    child.stderr.setEncoding("utf8").on("data", (text: string) => {
      output.stderr += text;
      onStderr?.(text);
    });
    const forget = remember(child.pid);
    const onEnd = () => {
      output.stderr += limit.aborted ? `\nno end within ${timeLimitSeconds} s` : "\nended early";
      endGroup(child.pid);
    };
    end.addEventListener("abort", onEnd);

    const finish = (code: number | null) => {
      end.removeEventListener("abort", onEnd);
      forget();
      resolve({ code, ...output });
    };
    child.on("error", (error) => {
      output.stderr += `\n${error.message}`;
      finish(null);
    });
    child.on("close", finish);
    if (end.aborted) onEnd();
  });
}

/** The running process groups. This process must end them, because a terminal's Ctrl-C does not reach them. */
const runningGroups = new Set<number>();
const endingSignals = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

function remember(pid: number | undefined): () => void {
  if (pid === undefined) return () => {};
  if (runningGroups.size === 0) {
    process.on("exit", endAllGroups);
    for (const signal of endingSignals) process.on(signal, endAllGroupsAndThisProcess);
  }
  runningGroups.add(pid);
  return () => {
    runningGroups.delete(pid);
    if (runningGroups.size > 0) return;
    process.off("exit", endAllGroups);
    for (const signal of endingSignals) process.off(signal, endAllGroupsAndThisProcess);
  };
}

function endAllGroups(): void {
  for (const pid of runningGroups) endGroup(pid);
}

function endAllGroupsAndThisProcess(signal: NodeJS.Signals): void {
  endAllGroups();
  process.off(signal, endAllGroupsAndThisProcess);
  // If there are other listeners, they must end this process.
  if (process.listenerCount(signal) === 0) process.kill(process.pid, signal);
}

function endGroup(pid: number | undefined): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, "SIGKILL");
  } catch {
    // Ended by itself meanwhile.
  }
}
