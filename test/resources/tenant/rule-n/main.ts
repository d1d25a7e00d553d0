// `npm run test:rule-n`: the long form; see `usage`.
import { parseArgs } from "node:util";
import { runMain } from "../../../command-line.ts";
import { checkPlatforms, storyOptions } from "../../../stories/check-platforms.ts";
import { checkRuleN } from "./play.ts";
import { platforms } from "./story.ts";

const usage = `Plays random writes of ours and of others on platforms that show values in forms of their own.

  --runs N      stories in all; default 20000
  --seed S      repeats a run; default: a new one
  --platform P  on this platform alone, of ${platforms.length}
  --path PATH   with --seed and --platform: replays one story
  --go-on       does not end at the first finding
  --help        this text

It ends at the first story in which a write is called applied that the platform has not taken, with the shortest such story.`;

async function main(): Promise<void> {
  const { values } = parseArgs({ options: storyOptions });
  if (values.help) return console.log(usage);
  const tally = { applied: 0, failed: 0, undecidable: 0 };
  await checkPlatforms(values, {
    ...{ script: "test:rule-n --", platforms: platforms.length, runs: 20_000 },
    check: (options) => checkRuleN(options, tally),
  });
  const { applied, failed, undecidable } = tally;
  console.log(
    `updates: ${applied} applied, ${failed} failed; ${undecidable} values that nothing tells from another writer's`,
  );
}

await runMain(main);
