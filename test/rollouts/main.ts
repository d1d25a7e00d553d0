// `npm run test:rollouts`: the long form; see `usage`.
import { parseArgs } from "node:util";
import { runMain } from "../command-line.ts";
import { checkPlatforms, storyOptions } from "../stories/check-platforms.ts";
import { checkRollouts } from "./check-stories.ts";
import { checkKills } from "./kills.ts";
import { platforms } from "./platforms.ts";

const usage = `Plays random stories of rollouts on platforms that answer all that the specification leaves open.

  --runs N      stories in all; default 400
  --seed S      repeats a run; default: a new one
  --platform P  on this platform alone, of ${platforms.length}
  --path PATH   with --seed and --platform: replays one story
  --pass-over T violations that hold this text do not count; may be given several times
  --kills       kills one rollout at each of its requests, in place of stories
  --go-on       does not end at the first finding
  --as-it-is    does not make a failing story shorter
  --help        this text

It ends at the first story after which a rollout has broken a promise, with the shortest such story and how to replay it.`;

async function main(): Promise<void> {
  const flag = { type: "boolean" } as const;
  const { values } = parseArgs({ options: { ...storyOptions, "as-it-is": flag, kills: flag } });
  if (values.help) return console.log(usage);
  if (values.kills) return printKills(await checkKills({ every: 1 }));
  const isShrunk = values["as-it-is"] !== true;
  await checkPlatforms(values, {
    ...{ script: "test:rollouts --", platforms: platforms.length, runs: 400 },
    check: (options) => checkRollouts({ ...options, isShrunk }, values["pass-over"]),
  });
}

function printKills(findings: readonly string[]): void {
  console.log(findings.length === 0 ? "every kill comes out well" : findings.join("\n\n"));
  if (findings.length > 0) process.exitCode = 1;
}

await runMain(main);
