import { spawn } from "node:child_process";
import { isProvider, markedProcesses } from "../../bench/processes.ts";
import type { Project } from "../engine/harness/create-project.ts";

/** The target of a signal: one process, the terminal's process group (as with Ctrl-C), or all the command's processes. */
export type Target = "engine" | "provider" | "group" | "all";

/** How a command ended: `code` is null if a signal ended it. */
export interface CommandEnd {
  readonly code: number | null;
  readonly printed: string;
}

/** A running command of the engine. */
export interface RunningCommand {
  readonly ended: Promise<CommandEnd>;
  isOver(): boolean;
  /** Sends a signal. Returns false if no process received it. */
  signal(target: Target, signal: NodeJS.Signals): boolean;
}

/** @param env The environment of every command of the round. `mark` identifies the processes that it starts. */
export function startCommand(
  command: string,
  args: readonly string[],
  { project, env, mark }: { project: Project; env: NodeJS.ProcessEnv; mark: NodeJS.ProcessEnv },
): RunningCommand {
  const child = spawn(command, ["--non-interactive", ...args], {
    cwd: project.directory,
    env: { ...project.env, ...env, ...mark },
    stdio: ["ignore", "pipe", "pipe"],
    detached: true,
  });
  let printed = "";
  let isOver = false;
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding("utf8").on("data", (text: string) => {
      printed += text;
    });
  }
  const limit = setTimeout(() => {
    printed += `\nno end within ${timeLimitSeconds} s`;
    signal("all", "SIGKILL");
  }, timeLimitSeconds * 1000);
  const ended = new Promise<CommandEnd>((resolve, reject) => {
    child.on("error", reject);
    child.on("exit", (code) => {
      isOver = true;
      clearTimeout(limit);
      // processes that outlive a killed engine may keep its output open, so nothing waits for its end
      setTimeout(() => resolve({ code, printed }), 100);
    });
  });

  const signal = (target: Target, name: NodeJS.Signals) => {
    const receivers = isOver ? [] : receiversOf(target, child.pid, mark);
    return receivers.map((pid) => send(pid, name)).some(Boolean);
  };
  return { ended, isOver: () => isOver, signal };
}

/** Far longer than any command of a round takes. */
const timeLimitSeconds = 400;

function receiversOf(target: Target, engine: number | undefined, mark: NodeJS.ProcessEnv): number[] {
  if (engine === undefined) return [];
  if (target === "engine") return [engine];
  if (target === "group") return [-engine];
  const started = markedProcesses(mark);
  return started.filter(({ command }) => target === "all" || isProvider.test(command)).map(({ pid }) => pid);
}

function send(pid: number, signal: NodeJS.Signals): boolean {
  try {
    process.kill(pid, signal);
    return true;
  } catch {
    return false; // the process has already ended
  }
}
