import { z } from "zod";
import { type Declared, fleetKeys, integrationId, isRollingName, releaseIds } from "../model/declared.ts";
import { ownLive, type Scene } from "../scene.ts";

/** How a rollout has ended. */
export interface RolloutEnd {
  /** `done`, `failed`, or that of a rollout which has not ended. */
  readonly phase: string;
  readonly violations: readonly string[];
}

/** What is known of a rollout. */
export interface ExpectedRollout {
  readonly rolling: Declared["rolling"];
  /** The release that its tenants ran before. Default: they were created on its release. */
  readonly before?: keyof typeof releaseIds;
  /** Whether a sync may have failed. */
  readonly mayFail: boolean;
}

/**
 * How the rollout has ended, and which of its tenants run a release that they must not run then. All run its release if it is
 * done; if it has failed, each also may run what it ran before, and after a rollback must.
 */
export async function rolloutEnd(scene: Scene, { rolling, before, mayFail }: ExpectedRollout): Promise<RolloutEnd> {
  const { phase, status } = await standOf(scene);
  const target = releaseIds[rolling.tag];
  const earlier = before === undefined ? target : releaseIds[before];
  const badEnd = phase === "done" || (phase === "failed" && mayFail) ? [] : [`the rollout ends ${phase}: ${status}`];
  // a failure among those that were behind after the end takes nobody back
  const isBack = rolling.onFailure === "rollback" && !/wave stragglers/.test(status);
  const allowed: readonly number[] = phase === "done" ? [target] : isBack ? [earlier] : [earlier, target];
  const wrong = (await releasesOf(scene)).filter(({ release }) => !allowed.includes(release));
  return {
    phase,
    violations: [
      ...badEnd,
      ...wrong.slice(0, 5).map(({ name, release }) => {
        return `the rollout is ${phase} (${status}), but ${name} runs ${release}, not ${allowed.join(" or ")}`;
      }),
    ],
  };
}

/** Whether a command ended with the error of a failed rollout. */
export function hasRolloutFailed(printed: string): boolean {
  return /rollout of fleet "rolling" to \S+ has failed/.test(printed);
}

/** Whether a preview shows no change except that of the rollout, which the next `up` carries on. */
export function isOnlyRolloutChanged(printed: string): boolean {
  const isOne = /^ +~ 1 to update\s*$/m.test(printed) && !/\d+ to (create|delete|replace|import)\s*$/m.test(printed);
  return isOne && /:FleetRollout\s+rolling\s+update\b/.test(printed);
}

const standSchema = z.looseObject({ phase: z.string(), status: z.string() });
const outputsSchema = z.looseObject({ rollouts: z.looseObject({ [fleetKeys.rolling]: standSchema }) });

async function standOf(scene: Scene): Promise<z.infer<typeof standSchema>> {
  const { printed } = await scene.run(["stack", "output", "--json"]);
  const outputs = outputsSchema.parse(JSON.parse(printed.slice(printed.indexOf("{"), printed.lastIndexOf("}") + 1)));
  return outputs.rollouts[fleetKeys.rolling];
}

async function releasesOf({ platform }: Scene): Promise<{ name: string; release: number }[]> {
  const ours = (await ownLive(platform, integrationId)).filter(({ name }) => isRollingName.test(name));
  return Promise.all(
    ours.map(async ({ id, name }) => {
      const { integration_release_id: release } = Object(await platform.call("GET", `/_emulator/tenants/${id}`));
      return { name, release: Number(release) };
    }),
  );
}
