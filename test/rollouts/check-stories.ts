import type { Variants } from "../../src/emulator/index.ts";
import { type Finding, type FindOptions, findFailure } from "../stories/find-failure.ts";
import { platforms } from "./platforms.ts";
import { play } from "./play.ts";
import { openScene } from "./scene.ts";
import { type Story, story } from "./story.ts";

/**
 * Plays random stories of rollouts on one platform. Returns undefined if all keep what rollouts promise.
 *
 * @param passedOver Violations that contain one of these strings do not count.
 */
export function checkRollouts(
  options: FindOptions,
  passedOver: readonly string[] = [],
): Promise<Finding<Story, Partial<Variants>> | undefined> {
  return findFailure(platforms, story, (chosen, variants) => playAnew(chosen, variants, passedOver), options);
}

/** Plays a story on a platform of its own. */
async function playAnew(chosen: Story, variants: Partial<Variants>, passedOver: readonly string[]): Promise<string> {
  await using scene = await openScene(variants);
  return await play(scene, chosen, passedOver);
}
