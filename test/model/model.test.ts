import pLimit from "p-limit";
import { expect, test } from "vitest";
import { checkStories, type Finding, openLane } from "./check-stories.ts";
import { platforms } from "./platforms.ts";

const seed = 4;
/** The long form plays on all. */
const everyPlatform = 3;
const lanes = 4; // a story waits more than it works

test("whatever a program declares and the platform is like, nothing of anybody's is lost", {
  timeout: 240_000,
}, async () => {
  const limit = pLimit(lanes);
  const findings = await limit.map(
    [...platforms.keys()].filter((platform) => platform % everyPlatform === 0),
    async (platform) => {
      await using lane = await openLane();
      return await checkStories(lane, { platform, seed: seed + platform, runs: 1, isShrunk: false });
    },
  );
  expect(findings.flatMap((finding) => (finding === undefined ? [] : [describe(finding)]))).toEqual([]);
});

/** Of the long form, the seed and platform give the story as short as it can be. */
function describe({ platform, seed: own, message }: Finding): string {
  return `${message}\nthe shortest such story: npm run test:model -- --platform ${platform} --seed ${own} --runs 1`;
}
