import pLimit from "p-limit";
import { expect, test } from "vitest";
import type { Finding } from "../stories/find-failure.ts";
import { checkStories, openLane } from "./check-stories.ts";
import { platforms } from "./platforms.ts";

const seed = 4;
/** The long form plays on all platforms. */
const everyPlatform = 3;
const lanes = 4; // stories mostly wait, so several run in parallel

test("no program loses anybody's data on any platform", {
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

/** Names the seed and platform, with which the long form finds the shortest failing story. */
function describe({ platform, seed: own, message }: Finding<unknown, unknown>): string {
  return `${message}\nthe shortest such story: npm run test:model -- --platform ${platform} --seed ${own} --runs 1`;
}
