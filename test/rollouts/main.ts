// `npm run test:rollouts`: the long form; see `usage`.
import { parseArgs } from "node:util";
import pLimit from "p-limit";
import { checkRollouts, type Finding } from "./check-stories.ts";
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
  const text = { type: "string" } as const;
  const flag = { type: "boolean" } as const;
  const { values } = parseArgs({
    options: {
      ...{ runs: text, seed: text, platform: text, path: text, "pass-over": { ...text, multiple: true } },
      ...{ "go-on": flag, "as-it-is": flag, kills: flag, help: flag },
    },
  });
  if (values.help) return console.log(usage);
  if (values.kills) return tellKills(await checkKills({ every: 1 }));
  const seed = wholeNumber("--seed", values.seed ?? String(Date.now() % 2 ** 31));
  const runs = wholeNumber("--runs", values.runs ?? "400");
  const chosen = values.platform === undefined ? [...platforms.keys()] : [wholeNumber("--platform", values.platform)];
  console.log(`seed ${seed}, ${chosen.length} platforms`);
  const limit = pLimit(values.path === undefined ? lanes : 1); // stories mostly wait, so several run in parallel
  let isOver = false;
  await limit.map(chosen, async (platform) => {
    if (isOver) return;
    const count = values.path === undefined ? Math.ceil(runs / chosen.length) : 1;
    const own = values.platform === undefined ? seed + platform : seed; // different stories on each platform
    const isShrunk = values["as-it-is"] !== true;
    const passedOver = values["pass-over"] ?? [];
    const finding = await checkRollouts({ platform, seed: own, path: values.path, runs: count, isShrunk, passedOver });
    if (finding === undefined) return console.log(`platform ${platform}: all ${count} stories come out well`);
    console.log(describe(finding));
    process.exitCode = 1;
    isOver = !values["go-on"];
  });
}

const lanes = 4;

function tellKills(findings: readonly string[]): void {
  console.log(findings.length === 0 ? "every kill comes out well" : findings.join("\n\n"));
  if (findings.length > 0) process.exitCode = 1;
}

function describe({ platform, story, message, seed, path }: Finding): string {
  return [
    `platform ${platform}: a story does not come out well`,
    `variants: ${JSON.stringify(platforms[platform])}`,
    `story: ${JSON.stringify(story)}`,
    message,
    `replay: npm run test:rollouts -- --platform ${platform} --seed ${seed} --path ${path}`,
  ].join("\n");
}

function wholeNumber(name: string, given: string): number {
  if (/^\d{1,10}$/.test(given)) return Number(given);
  throw new Error(`${name} must be a whole number, not "${given}"`);
}

await main().catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : String(error));
  process.exitCode = 1;
});
