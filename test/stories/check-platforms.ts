import pLimit from "p-limit";
import { seedFrom, wholeNumber } from "../command-line.ts";
import type { Finding, FindOptions } from "./find-failure.ts";

const text = { type: "string" } as const;
const flag = { type: "boolean" } as const;

/** The options that the long forms of stories share, for `parseArgs`. */
export const storyOptions = {
  runs: text,
  seed: text,
  platform: text,
  path: text,
  "pass-over": { ...text, multiple: true },
  "go-on": flag,
  help: flag,
} as const;

/** The values of the options that say which stories to play. */
interface Chosen {
  readonly runs?: string | undefined;
  readonly seed?: string | undefined;
  readonly platform?: string | undefined;
  readonly path?: string | undefined;
  readonly "go-on"?: boolean | undefined;
}

interface LongForm {
  /** The npm script that replays a story, with `--` and the arguments that each of its runs needs. */
  readonly script: string;
  /** How many platforms there are. */
  readonly platforms: number;
  /** How many stories are played in all, where the command line names no number. */
  readonly runs: number;
  /** Plays stories on one platform. */
  check(options: FindOptions): Promise<Finding<unknown, unknown> | undefined>;
}

/** Plays stories on the chosen platforms and prints what comes out. It ends at the first failing story, or after all. */
export async function checkPlatforms(values: Chosen, { script, platforms, runs, check }: LongForm): Promise<void> {
  const seed = seedFrom(values.seed);
  const stories = wholeNumber("--runs", values.runs ?? String(runs));
  const chosen =
    values.platform === undefined
      ? Array.from({ length: platforms }, (_, platform) => platform)
      : [wholeNumber("--platform", values.platform)];
  console.log(`seed ${seed}, ${chosen.length} platforms`);
  const limit = pLimit(values.path === undefined ? lanes : 1); // stories mostly wait, so several run in parallel
  let isOver = false;
  await limit.map(chosen, async (platform) => {
    if (isOver) return;
    const startedAt = Date.now();
    const count = values.path === undefined ? Math.ceil(stories / chosen.length) : 1;
    const own = values.platform === undefined ? seed + platform : seed; // different stories on each platform
    const finding = await check({ platform, seed: own, path: values.path, runs: count });
    const seconds = ((Date.now() - startedAt) / 1000).toFixed(1);
    if (finding === undefined) {
      return console.log(`platform ${platform}: all ${count} stories come out well (${seconds} s)`);
    }
    console.log(describe(script, finding));
    process.exitCode = 1;
    isOver = !values["go-on"];
  });
}

const lanes = 4;

function describe(
  script: string,
  { platform, runs, variants, story, message, seed, path }: Finding<unknown, unknown>,
): string {
  return [
    `platform ${platform}: story ${runs} does not come out well`,
    `variants: ${JSON.stringify(variants)}`,
    `story: ${JSON.stringify(story)}`,
    message,
    `replay: npm run ${script} --platform ${platform} --seed ${seed} --path ${path}`,
  ].join("\n");
}
