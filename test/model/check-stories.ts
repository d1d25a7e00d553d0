import fc from "fast-check";
import { type Variants, variantValues } from "../../src/emulator/variants.ts";
import { platforms } from "./platforms.ts";
import { play, ViolationError } from "./play.ts";
import { openScene, type Scene, storySeed } from "./scene.ts";
import { type Story, story } from "./story.ts";

/** A failing story, made as short as possible. */
export interface Finding {
  readonly platform: number;
  readonly seed: number;
  /** Replays the story: see `replay`. */
  readonly path: string;
  readonly runs: number;
  readonly story: Story;
  /** The variants that the failure needs. All others may be the default. */
  readonly variants: Partial<Variants>;
  readonly message: string;
}

/** Plays stories one after the other. Each starts with a reset emulator. */
export interface Lane extends AsyncDisposable {
  play(story: Story, variants: Variants): Promise<void>;
}

/** @param passedOver Violations that contain one of these strings do not count. */
export async function openLane(passedOver: readonly string[] = []): Promise<Lane> {
  const scene = await openScene({}, { seed: storySeed, clock: "manual" });
  return {
    play: (chosen, variants) => playAnew(scene, chosen, variants, passedOver),
    [Symbol.asyncDispose]: () => scene[Symbol.asyncDispose](),
  };
}

export interface CheckOptions {
  readonly platform: number;
  readonly seed: number;
  readonly runs: number;
  readonly path?: string | undefined;
  /** Whether a failing story is made as short as possible, which takes minutes. Default true. */
  readonly isShrunk?: boolean;
}

/** Plays random stories on one platform. Returns undefined if all succeed. */
export async function checkStories(
  lane: Lane,
  { platform, seed, runs, path, isShrunk = true }: CheckOptions,
): Promise<Finding | undefined> {
  const variants = platforms[platform];
  if (variants === undefined) throw new Error(`there are ${platforms.length} platforms, and no ${platform}`);
  const property = fc.asyncProperty(story, (chosen) => lane.play(chosen, variants));
  const details = await fc.check(property, {
    seed,
    numRuns: runs,
    endOnFailure: !isShrunk,
    ...(path === undefined ? {} : { path }),
  });
  if (!details.failed) return undefined;
  const [shrunk = []] = details.counterexample ?? [];
  const message = describeError(details.errorInstance);
  const needed =
    isShrunk && details.errorInstance instanceof ViolationError
      ? await neededVariants(lane, shrunk, variants)
      : variants;
  const foundAt = { platform, seed: details.seed, path: details.counterexamplePath ?? "", runs: details.numRuns };
  return { ...foundAt, story: shrunk, variants: needed, message };
}

function describeError(error: unknown): string {
  if (error instanceof ViolationError) return error.message;
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}

async function playAnew(scene: Scene, chosen: Story, variants: Variants, passedOver: readonly string[]): Promise<void> {
  await scene.emulator.reset();
  scene.emulator.setVariants(variants);
  scene.variants = variants;
  scene.stack.state.clear();
  scene.warnings.length = 0;
  await play(scene, chosen, passedOver);
}

/** The variants without which the story succeeds. */
async function neededVariants(lane: Lane, chosen: Story, variants: Variants): Promise<Partial<Variants>> {
  let least: Record<string, string> = { ...variants };
  for (const [name, [value = ""]] of Object.entries(variantValues)) {
    const simpler = { ...least, [name]: value };
    const isNeeded = await lane.play(chosen, Object.assign({ ...variants }, simpler)).then(
      () => true,
      () => false,
    );
    if (!isNeeded) least = simpler;
  }
  return Object.fromEntries(Object.entries(least).filter(([name, value]) => value !== variantValues[name]?.[0]));
}
