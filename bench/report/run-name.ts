import type { Run } from "../results.ts";

/** A run as documents name it: `run of 2026-11-23 11:05 UTC, commit 0123456`. */
export function runName(runStartedAt: string, { commit, continuedAt }: Run): string {
  const parts = [`run of ${minuteOf(runStartedAt)} UTC`, commitName(commit)];
  if (continuedAt.length > 0) parts.push(`continued at ${continuedAt.map(minuteOf).join(", ")}`);
  return parts.join(", ");
}

function commitName(commit: Run["commit"]): string {
  if (commit === undefined) return "commit not recorded";
  return `commit ${commit.id.slice(0, 7)}${commit.hasChanges ? " with changes" : ""}`;
}

/** `2026-11-23 11:05`, without the zone. */
function minuteOf(time: string): string {
  return time.slice(0, 16).replace("T", " ");
}
