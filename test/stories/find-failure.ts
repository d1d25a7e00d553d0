import fc from "fast-check";

/** A failing story, made as short as possible. */
export interface Finding<Story, Variants> {
  readonly platform: number;
  readonly seed: number;
  /** Replays the story, with the platform and the seed. */
  readonly path: string;
  /** How many stories were played. */
  readonly runs: number;
  readonly story: Story;
  /** The variants of the platform. */
  readonly variants: Variants;
  readonly message: string;
  /** Whether the judge found a violation. Otherwise something else went wrong. */
  readonly isViolation: boolean;
}

export interface FindOptions {
  /** The number of the platform. */
  readonly platform: number;
  readonly seed: number;
  readonly runs: number;
  readonly path?: string | undefined;
  /** Whether a failing story is made as short as possible, which takes minutes. Default true. */
  readonly isShrunk?: boolean;
}

/** A story failed. The message has its steps and the judge's findings. */
export class ViolationError extends Error {
  override readonly name = "ViolationError";
}

/**
 * Plays random stories on one platform. Returns undefined if all succeed.
 *
 * @param platforms the variants of each platform.
 * @param play throws if the story fails.
 */
export async function findFailure<Story, Variants>(
  platforms: readonly Variants[],
  stories: fc.Arbitrary<Story>,
  play: (story: Story, variants: Variants) => Promise<unknown>,
  { platform, seed, runs, path, isShrunk = true }: FindOptions,
): Promise<Finding<Story, Variants> | undefined> {
  const variants = platforms[platform];
  if (variants === undefined) throw new Error(`there are ${platforms.length} platforms, and no ${platform}`);
  const property = fc.asyncProperty(stories, async (story) => void (await play(story, variants)));
  const details = await fc.check(property, {
    seed,
    numRuns: runs,
    endOnFailure: !isShrunk,
    ...(path === undefined ? {} : { path }),
  });
  if (!details.failed) return undefined;
  if (details.counterexample === null) throw new Error("no story failed, and not all were played");
  const [story] = details.counterexample;
  const error = details.errorInstance;
  return {
    ...{ platform, seed: details.seed, path: details.counterexamplePath ?? "", runs: details.numRuns, story, variants },
    message: describeError(error),
    isViolation: error instanceof ViolationError,
  };
}

function describeError(error: unknown): string {
  if (error instanceof ViolationError) return error.message;
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
