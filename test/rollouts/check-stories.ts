import fc from "fast-check";
import type { Variants } from "../../src/emulator/index.ts";
import { platforms } from "./platforms.ts";
import { play, ViolationError } from "./play.ts";
import { openScene } from "./scene.ts";
import { type Story, story } from "./story.ts";

/** A failing story, made as short as possible. */
export interface Finding {
  readonly platform: number;
  readonly seed: number;
  /** Replays the story. */
  readonly path: string;
  readonly story: Story;
  readonly message: string;
}

export interface CheckOptions {
  readonly platform: number;
  readonly seed: number;
  readonly runs: number;
  readonly path?: string | undefined;
  /** Whether a failing story is made as short as possible. Default true. */
  readonly isShrunk?: boolean;
  /** Violations that contain one of these strings do not count. */
  readonly passedOver?: readonly string[];
}

/** Plays random stories of rollouts on one platform. Returns undefined if all keep what rollouts promise. */
export async function checkRollouts({
  platform,
  seed,
  runs,
  path,
  isShrunk = true,
  passedOver = [],
}: CheckOptions): Promise<Finding | undefined> {
  const variants = platforms[platform];
  if (variants === undefined) throw new Error(`there are ${platforms.length} platforms, and no ${platform}`);
  const property = fc.asyncProperty(story, async (chosen) => void (await playAnew(chosen, variants, passedOver)));
  const details = await fc.check(property, {
    seed,
    numRuns: runs,
    endOnFailure: !isShrunk,
    ...(path === undefined ? {} : { path }),
  });
  if (!details.failed) return undefined;
  const [shrunk = { fleets: [], steps: [] }] = details.counterexample ?? [];
  const error = details.errorInstance;
  const message =
    error instanceof ViolationError ? error.message : error instanceof Error ? (error.stack ?? "") : String(error);
  return { platform, seed: details.seed, path: details.counterexamplePath ?? "", story: shrunk, message };
}

/** Plays a story on a platform of its own. */
export async function playAnew(
  chosen: Story,
  variants: Partial<Variants>,
  passedOver: readonly string[] = [],
): Promise<string> {
  await using scene = await openScene(variants);
  return await play(scene, chosen, passedOver);
}
