// `npm run test:model`: the long form; see `usage`.
import { parseArgs } from "node:util";
import { providerChoices } from "../../src/resources/pulumi/type-token.ts";
import { runMain } from "../command-line.ts";
import { checkPlatforms, storyOptions } from "../stories/check-platforms.ts";
import { checkStories, openLane } from "./check-stories.ts";
import { platforms } from "./platforms.ts";

const usage = `Plays random stories of programs on platforms that answer all that the specification leaves open.

  --runs N      stories in all; default 1000
  --seed S      repeats a run; default: a new one
  --provider P  dynamic or native; default: dynamic
  --platform P  on this platform alone, of ${platforms.length}
  --path PATH   with --seed and --platform: replays one story
  --pass-over T violations that hold this text do not count; may be given several times
  --go-on       does not end at the first finding
  --help        this text

It ends at the first story after which an invariant does not hold, with the shortest such story and how to replay it.`;

async function main(): Promise<void> {
  const { values } = parseArgs({ options: { ...storyOptions, provider: { type: "string" } } });
  if (values.help) return console.log(usage);
  const provider = providerChoices.find((choice) => choice === (values.provider ?? "dynamic"));
  if (provider === undefined)
    throw new Error(`--provider takes ${providerChoices.join(" or ")}, not "${values.provider}"`);
  await checkPlatforms(values, {
    ...{ script: `test:model -- --provider ${provider}`, platforms: platforms.length, runs: 1000 },
    check: async (options) => {
      await using lane = await openLane(provider, values["pass-over"]);
      return await checkStories(lane, options);
    },
  });
}

await runMain(main);
