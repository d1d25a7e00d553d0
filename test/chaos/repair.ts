import type { CommandEnd } from "./engine-command.ts";
import type { Scene } from "./scene.ts";

/** How often the documents tell the operator to run the command again, at most (README, "After a failure"). */
export const repairsMaximum = 3;

/** A repair: how the last command ended, and how many it took. */
export interface Repaired {
  readonly repairs: number;
  readonly end: CommandEnd;
  /** Those that failed on the way. */
  readonly failed: readonly CommandEnd[];
}

/** Does what the README's "After a failure" tells the operator to do, and no more. */
export async function repair(
  scene: Scene,
  command: "up" | "destroy",
  { wasKilled, after }: { wasKilled: boolean; after: CommandEnd },
): Promise<Repaired> {
  let end = after;
  const failed: CommandEnd[] = [];
  for (let repairs = 1; ; repairs += 1) {
    if (wasKilled && repairs === 1) await scene.run(["cancel", "--yes"]);
    end = await scene.run([command, "--yes", "--skip-preview", ...advised(command, end.printed)]);
    if (end.code === 0 || repairs === repairsMaximum) return { repairs, end, failed };
    failed.push(end);
  }
}

/** What the error messages tell to do besides running the command again. */
function advised(command: "up" | "destroy", printed: string): string[] {
  const isBuildAwaited = /does not show yet/.test(printed) && command === "up";
  const [, urn] = /(urn:pulumi:\S+:Build::\S+)/.exec(printed) ?? [];
  return isBuildAwaited && urn !== undefined ? ["--replace", urn] : [];
}
