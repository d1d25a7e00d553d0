// `npm run test:model`: the long form; see `usage`.
import { parseArgs } from "node:util";
import pLimit from "p-limit";
import { checkStories, type Finding, openLane } from "./check-stories.ts";
import { platforms } from "./platforms.ts";

const usage = `Plays random stories of programs on platforms that answer all that the specification leaves open.

  --runs N      stories in all; default 1000
  --seed S      repeats a run; default: a new one
  --platform P  on this platform alone, of ${platforms.length}
  --path PATH   with --seed and --platform: replays one story
  --pass-over T violations that hold this text do not count; may be given several times
  --go-on       does not end at the first finding
  --help        this text

It ends at the first story after which an invariant does not hold, with the shortest such story and how to replay it.`;

async function main(): Promise<void> {
  const text = { type: "string" } as const;
  const flag = { type: "boolean" } as const;
  const { values } = parseArgs({
    options: {
      runs: text,
      seed: text,
      platform: text,
      path: text,
      "go-on": flag,
      help: flag,
      "pass-over": { ...text, multiple: true },
    },
  });
  if (values.help) return console.log(usage);
  const seed = wholeNumber("--seed", values.seed ?? String(Date.now() % 2 ** 31));
  const runs = wholeNumber("--runs", values.runs ?? "1000");
  const chosen = values.platform === undefined ? [...platforms.keys()] : [wholeNumber("--platform", values.platform)];
  console.log(`seed ${seed}, ${chosen.length} platforms`);
  const limit = pLimit(values.path === undefined ? lanes : 1); // stories mostly wait, so several run in parallel
  let isOver = false;
  await limit.map(chosen, async (platform) => {
    if (isOver) return;
    await using lane = await openLane(values["pass-over"]);
    const startedAt = Date.now();
    const count = values.path === undefined ? Math.ceil(runs / chosen.length) : 1;
    const own = values.platform === undefined ? seed + platform : seed; // different stories on each platform
    const finding = await checkStories(lane, { platform, seed: own, path: values.path, runs: count });
    const seconds = ((Date.now() - startedAt) / 1000).toFixed(1);
    if (finding === undefined) {
      return console.log(`platform ${platform}: all ${count} stories come out well (${seconds} s)`);
    }
    console.log(describe(finding));
    process.exitCode = 1;
    isOver = !values["go-on"];
  });
}

const lanes = 4;

function describe({ platform, runs, variants, story, message, seed, path }: Finding): string {
  return [
    `platform ${platform}: story ${runs} does not come out well`,
    `variants: ${JSON.stringify(variants)}`,
    `story: ${JSON.stringify(story)}`,
    message,
    `replay: npm run test:model -- --platform ${platform} --seed ${seed} --path ${path}`,
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
