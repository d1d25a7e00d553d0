import pLimit from "p-limit";
import { expect, test } from "vitest";
import { checkStories, type Finding, openLane } from "./check-stories.ts";
import { platforms } from "./platforms.ts";

const seed = 20261122;
/** The long form plays on all. */
const everyPlatform = 3;
const lanes = 8; // a story waits more than it works

test("whatever a program declares and the platform is like, nothing of anybody's is lost", {
  timeout: 240_000,
}, async () => {
  const limit = pLimit(lanes);
  const findings = await limit.map(
    [...platforms.keys()].filter((platform) => platform % everyPlatform === 0),
    async (platform) => {
      await using lane = await openLane();
      return await checkStories(lane, { platform, seed: seed + platform, runs: 1 });
    },
  );
  expect(findings.flatMap((finding) => (finding === undefined ? [] : [describe(finding)]))).toEqual([]);
});

/** The long form tells more: `npm run test:model`. */
function describe({ platform, seed: own, path, message }: Finding): string {
  return `${message}\nreplay: npm run test:model -- --platform ${platform} --seed ${own} --path ${path}`;
}
