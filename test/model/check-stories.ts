import { type Variants, variantValues } from "../../src/emulator/variants.ts";
import type { ProviderChoice } from "../../src/resources/pulumi/type-token.ts";
import { type Finding, type FindOptions, findFailure } from "../stories/find-failure.ts";
import { platforms } from "./platforms.ts";
import { play } from "./play.ts";
import { openScene, type Scene, storySeed } from "./scene.ts";
import { type Story, story } from "./story.ts";

/** Plays stories one after the other. Each starts with a reset emulator. */
export interface Lane extends AsyncDisposable {
  play(story: Story, variants: Variants): Promise<void>;
}

/** @param passedOver Violations that contain one of these strings do not count. */
export async function openLane(provider: ProviderChoice, passedOver: readonly string[] = []): Promise<Lane> {
  const scene = await openScene({}, { provider, seed: storySeed, clock: "manual" });
  return {
    play: (chosen, variants) => playAnew(scene, chosen, variants, passedOver),
    [Symbol.asyncDispose]: () => scene[Symbol.asyncDispose](),
  };
}

/** Plays random stories on one platform. Returns undefined if all succeed, else a finding with the variants that it needs. */
export async function checkStories(
  lane: Lane,
  options: FindOptions,
): Promise<Finding<Story, Partial<Variants>> | undefined> {
  const finding = await findFailure(platforms, story, lane.play, options);
  if (finding === undefined || options.isShrunk === false || !finding.isViolation) return finding;
  return { ...finding, variants: await neededVariants(lane, finding.story, finding.variants) };
}

async function playAnew(scene: Scene, chosen: Story, variants: Variants, passedOver: readonly string[]): Promise<void> {
  await scene.emulator.reset();
  scene.emulator.setVariants(variants);
  scene.variants = variants;
  scene.stack.state.clear();
  scene.warnings.length = 0;
  await play(scene, chosen, passedOver);
}

/** The variants that the failure needs. All others may be the default. */
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
