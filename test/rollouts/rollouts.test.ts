import { expect, test } from "vitest";
import type { Finding } from "../stories/find-failure.ts";
import { checkRollouts } from "./check-stories.ts";
import { checkKills } from "./kills.ts";
import { platforms } from "./platforms.ts";

const seed = 21;
/** The long form plays on all platforms, and kills at each request. */
const everyPlatform = 5;
const everyKill = 37;

test("no rollout breaks a promise, whatever happens meanwhile", {
  timeout: 240_000,
}, async () => {
  const chosen = [...platforms.keys()].filter((platform) => platform % everyPlatform === 0);
  const findings = await Promise.all(
    chosen.map((platform) => checkRollouts({ platform, seed: seed + platform, runs: 2, isShrunk: false })),
  );
  expect(findings.flatMap((finding) => (finding === undefined ? [] : [describe(finding)]))).toEqual([]);
});

test("a rollout that is killed at a request ends as if it had not been", { timeout: 240_000 }, async () => {
  expect(await checkKills({ every: everyKill })).toEqual([]);
});

/** Names the seed and platform, with which the long form finds the shortest failing story. */
function describe({ platform, seed: own, message }: Finding<unknown, unknown>): string {
  return `${message}\nthe shortest such story: npm run test:rollouts -- --platform ${platform} --seed ${own} --runs 2`;
}
