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
    if (/set adopt: true/.test(end.printed)) await scene.adopt();
    end = await scene.run([command, "--yes", "--skip-preview", ...(repairs > 1 ? advised(command, end.printed) : [])]);
    if (end.code === 0 || repairs === repairsMaximum) return { repairs, end, failed };
    failed.push(end);
  }
}

/** What to do about a build that is awaited in vain, for the second time: to ask for it once more. */
function advised(command: "up" | "destroy", printed: string): string[] {
  return command === "up" && /its release does not show yet/.test(printed) ? ["--replace", urnOfBuild] : [];
}

const urnOfBuild = "urn:pulumi:test::integration-platform::pulumi-nodejs:dynamic/integration-platform:Build::nightly";
