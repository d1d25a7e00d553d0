import pLimit from "p-limit";
import { expect, test } from "vitest";
import { checkRuleN } from "./rule-n/play.ts";
import { platforms } from "./rule-n/story.ts";

const seed = 20261129;
/** Of 300 stories; `npm run test:rule-n` plays 20,000. */
const runs = Math.ceil(300 / platforms.length);

test("no write is called applied that the platform has not taken, whatever others do", {
  timeout: 240_000,
}, async () => {
  const tally = { applied: 0, failed: 0, undecidable: 0 };
  const findings = await pLimit(8).map([...platforms.keys()], (platform) =>
    checkRuleN({ platform, seed: seed + platform, runs, isShrunk: false }, tally),
  );
  const described = findings.flatMap((one) =>
    one === undefined ? [] : [`${one.message}\n${JSON.stringify(one.story)}`],
  );
  expect(described).toEqual([]);
  expect(tally.applied).toBeGreaterThan(runs * platforms.length);
  expect(tally.failed).toBeGreaterThan(0);
});
