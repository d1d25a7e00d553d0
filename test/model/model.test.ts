import pLimit from "p-limit";
import { expect, test } from "vitest";
import { type ProviderChoice, providerChoices } from "../../src/resources/pulumi/type-token.ts";
import type { Finding } from "../stories/find-failure.ts";
import { checkStories, openLane } from "./check-stories.ts";
import { platforms } from "./platforms.ts";

const seed = 4;
/** The long form plays on all platforms, with each provider. */
const everyPlatform = 3;
const lanes = 4; // stories mostly wait, so several run in parallel

for (const [offset, provider] of providerChoices.entries()) {
  test(`no program loses anybody's data on any platform, with the ${provider} provider`, {
    timeout: 240_000,
  }, async () => {
    const limit = pLimit(lanes);
    const findings = await limit.map(
      [...platforms.keys()].filter((platform) => platform % everyPlatform === offset),
      async (platform) => {
        await using lane = await openLane(provider);
        return await checkStories(lane, { platform, seed: seed + platform, runs: 1, isShrunk: false });
      },
    );
    expect(findings.flatMap((finding) => (finding === undefined ? [] : [describe(provider, finding)]))).toEqual([]);
  });
}

/** Names the provider, seed and platform, with which the long form finds the shortest failing story. */
function describe(provider: ProviderChoice, { platform, seed: own, message }: Finding<unknown, unknown>): string {
  const replay = `npm run test:model -- --provider ${provider} --platform ${platform} --seed ${own} --runs 1`;
  return `${message}\nthe shortest such story: ${replay}`;
}
