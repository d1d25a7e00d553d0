import { type ProviderName, tokenOf } from "../engine/harness/provider-under-test.ts";
import { unlock } from "../engine/harness/unlock.ts";
import type { CommandEnd } from "./engine-command.ts";
import type { Scene } from "./scene.ts";

/** How often the documents tell the operator to run the command again, at most (docs/troubleshooting.md, "After a failure"). */
export const repairsMaximum = 3;

/** A repair: how the last command ended, and how many it took. */
export interface Repaired {
  readonly repairs: number;
  readonly end: CommandEnd;
  /** The failed commands before it. */
  readonly failed: readonly CommandEnd[];
}

/** Follows "After a failure", and does no more. */
export async function repair(
  scene: Scene,
  command: "up" | "destroy",
  { wasKilled, after }: { wasKilled: boolean; after: CommandEnd },
): Promise<Repaired> {
  let end = after;
  const failed: CommandEnd[] = [];
  for (let repairs = 1; ; repairs += 1) {
    if (wasKilled && repairs === 1) await unlock(scene.project);
    if (/set adopt: true/.test(end.printed) && !isWrongRefusal(scene, end.printed)) await scene.adopt();
    end = await scene.run([
      command,
      "--yes",
      "--skip-preview",
      ...(repairs > 1 ? advised(scene.provider, command, end.printed) : []),
    ]);
    if (end.code === 0 || repairs === repairsMaximum) return { repairs, end, failed };
    failed.push(end);
  }
}

/**
 * Whether a tenant should have been taken over: it differs in its secret only, which reads hide. Without a profile, nobody can tell
 * that `value is set` hides one.
 */
function isWrongRefusal({ variants }: Scene, printed: string): boolean {
  return onlyHidesSecret.test(printed) && variants.maskedConfigs !== "other";
}

/** In an error: the only difference of a tenant is its secret, which the platform hides. It should have been taken over. */
const onlyHidesSecret = /would have made it: it differs in configs\.api_token\. /;

/** The arguments that request a build again after two timeouts. */
function advised(provider: ProviderName, command: "up" | "destroy", printed: string): string[] {
  const build = `urn:pulumi:test::integration-platform::${tokenOf("Build", provider)}::nightly`;
  return command === "up" && /its release does not show yet/.test(printed) ? ["--replace", build] : [];
}
