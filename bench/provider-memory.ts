import { readdirSync, readFileSync } from "node:fs";

const everyMilliseconds = 100;

/** Watches the dynamic provider processes; stopping answers the largest memory any of them had, in megabytes. */
export function watchProviderMemory(): () => number {
  let peakKilobytes = 0;
  const look = setInterval(() => {
    for (const pid of readdirSync("/proc").filter((name) => /^\d+$/.test(name))) {
      peakKilobytes = Math.max(peakKilobytes, peakOf(pid));
    }
  }, everyMilliseconds);
  return () => {
    clearInterval(look);
    return Math.round(peakKilobytes / 1024);
  };
}

function peakOf(pid: string): number {
  try {
    if (!readFileSync(`/proc/${pid}/cmdline`, "utf8").includes("cmd/dynamic-provider")) return 0;
    return Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1] ?? 0);
  } catch {
    return 0; // it ended meanwhile
  }
}
