import { randomUUID } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";

/** For each kind of process, a pattern of its command line (arguments joined by spaces). */
export type ProcessRoles = Readonly<Record<ProcessRole, RegExp>>;

/** `engine` plans; `program` declares, if that is a process of its own; `provider` calls the platform. */
export type ProcessRole = "engine" | "program" | "provider";

/** In command lines: Node.js's dynamic provider, and the plugin as its sources or as a bundle. */
export const isProvider = /cmd\/dynamic-provider|plugin\/main|pulumi-resource-integration-platform/;

/** The resources that processes have used. */
export interface Usage {
  /** User and system time of all of them. */
  readonly cpuSeconds: number;
  /** The part of it that samples have seen of each kind. */
  readonly cpuSecondsByRole: Readonly<Record<ProcessRole, number>>;
  /** The largest resident memory of one process of each kind. */
  readonly peakMegabytes: Readonly<Record<ProcessRole, number>>;
}

/** A variable with a unique value, which marks all processes that inherit it. */
export function processMark(): NodeJS.ProcessEnv {
  return { [markName]: randomUUID() };
}

/**
 * Watches the processes with the mark. The mark finds plugins too, to which the engine gives process groups of their own and
 * which may outlive their parents. Returns a function that stops watching and returns the usage.
 *
 * Both ways to count CPU time miss a little. Sampling misses what a process does after its last sample. The kernel's account
 * of the children of this process misses orphans. The result is the larger value.
 */
export function watchProcesses(mark: NodeJS.ProcessEnv, roles: ProcessRoles): () => Usage {
  const ticks = new Map<string, { own: number; role: ProcessRole | undefined }>();
  const peakKilobytes = { engine: 0, program: 0, provider: 0 };
  const childrenBefore = ticksOfChildren();
  const look = () => {
    for (const pid of markedPids(mark)) {
      const { startedAt, ownTicks, peak, command } = inspect(pid);
      const before = ticks.get(`${pid} ${startedAt}`);
      const role = allRoles.find((name) => roles[name].test(command)) ?? before?.role; // a process that ends has no command
      ticks.set(`${pid} ${startedAt}`, { own: Math.max(ownTicks, before?.own ?? 0), role });
      if (role !== undefined) peakKilobytes[role] = Math.max(peakKilobytes[role], peak);
    }
  };
  const looking = setInterval(look, everyMilliseconds);
  return () => {
    clearInterval(looking);
    const seen = [...ticks.values()];
    const ticksOf = (some: typeof seen) => some.reduce((sum, { own }) => sum + own, 0);
    return {
      cpuSeconds: Math.max(ticksOf(seen), ticksOfChildren() - childrenBefore) / ticksPerSecond,
      cpuSecondsByRole: forEachRole(
        (role) => ticksOf(seen.filter((process) => process.role === role)) / ticksPerSecond,
      ),
      peakMegabytes: forEachRole((role) => Math.round(peakKilobytes[role] / 1024)),
    };
  };
}

/** The processes with the mark, and their command lines (arguments joined by spaces). */
export function markedProcesses(mark: NodeJS.ProcessEnv): { pid: number; command: string }[] {
  return markedPids(mark).map((pid) => ({ pid: Number(pid), command: inspect(pid).command }));
}

/** Kills all processes with the mark. */
export function endProcesses(mark: NodeJS.ProcessEnv): void {
  for (const { pid } of markedProcesses(mark)) {
    try {
      process.kill(pid, "SIGKILL");
    } catch {
      // The process has ended meanwhile.
    }
  }
}

const markName = "INTEGRATION_PLATFORM_BENCH_MARK";
const everyMilliseconds = 100;
/** The unit of CPU time in /proc, on every Linux that Node.js supports. */
const ticksPerSecond = 100;
const allRoles = ["engine", "program", "provider"] as const;

function forEachRole(value: (role: ProcessRole) => number): Record<ProcessRole, number> {
  return { engine: value("engine"), program: value("program"), provider: value("provider") };
}

function markedPids(mark: NodeJS.ProcessEnv): string[] {
  const entry = `${markName}=${mark[markName]}`;
  return readdirSync("/proc").filter((pid) => /^\d+$/.test(pid) && read(`/proc/${pid}/environ`).includes(entry));
}

function inspect(pid: string) {
  const fields = statFields(pid);
  return {
    startedAt: fields[19] ?? "",
    ownTicks: Number(fields[11] ?? 0) + Number(fields[12] ?? 0),
    peak: Number(/VmHWM:\s+(\d+)/.exec(read(`/proc/${pid}/status`))?.[1] ?? 0),
    command: read(`/proc/${pid}/cmdline`).replaceAll("\0", " "),
  };
}

function ticksOfChildren(): number {
  const fields = statFields("self");
  return Number(fields[13] ?? 0) + Number(fields[14] ?? 0);
}

/** The fields after the process name, which may contain any character. The first one is field 3 of proc(5). */
function statFields(pid: string): string[] {
  const text = read(`/proc/${pid}/stat`);
  return text.slice(text.lastIndexOf(")") + 2).split(" ");
}

function read(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return ""; // the process has ended meanwhile, or belongs to another user
  }
}
