import { parseArgs } from "node:util";
import { type ProviderName, providerNames } from "../engine/harness/provider-under-test.ts";
import { type CheckpointMode, checkpointModes } from "./checkpoint-mode.ts";
import { disturbanceNamed, kindOf, kinds } from "./disturbances/index.ts";

/** The rounds to play. */
export interface Plan {
  readonly seeds: readonly number[];
  /** Each seed is played on each. */
  readonly providers: readonly ProviderName[];
  readonly tenants: number;
  readonly checkpoints: CheckpointMode;
}

/** What a command line asks for. */
export type Request =
  | { readonly command: "help" }
  | {
      readonly command: "play";
      readonly plan: Plan;
      readonly parallel: number;
      /** Where to write the report as JSON. */
      readonly report: string | undefined;
    }
  | { readonly command: "continue"; readonly report: string; readonly parallel: number };

export const usage = `npm run test:chaos -- [flags]: stacks are created, changed and destroyed under faults.

  --rounds N        on each provider; default 8
  --seed S          of the first round; default: from the clock. Each round prints its own: \`--seed S --rounds 1\` replays it
  --kinds a,b       of ${kinds.join(", ")}; default: all, by turns
  --provider P      of ${providerNames.join(", ")}; default: each seed on both
  --tenants N       in each round; default 300
  --checkpoints M   each or end: when the engine writes the state; default each. With end, a round declares tenants only, and
                    the kind operator sends SIGKILL only
  --parallel N      rounds at the same time; default 1
  --report FILE     writes the plan, the commit and the results as JSON, anew after each round
  --continue FILE   plays the rounds that the report in FILE lacks, and adds them to it. The commit must be the same.
                    Of the other flags it takes only --parallel
  --help            this text`;

/** Parses a command line. @throws Error that names the wrong flag. */
export function parseCommandLine(args: readonly string[]): Request {
  const text = { type: "string" } as const;
  const { values } = parseArgs({
    args: [...args],
    options: {
      rounds: text,
      seed: text,
      kinds: text,
      provider: text,
      tenants: text,
      checkpoints: text,
      parallel: text,
      report: text,
      continue: text,
      help: { type: "boolean", short: "h" },
    },
  });
  if (values.help) return { command: "help" };
  const parallel = whole("parallel", values.parallel ?? "1", 1);
  if (values.continue !== undefined) {
    const [other] = Object.keys(values).filter((flag) => flag !== "continue" && flag !== "parallel");
    if (other !== undefined) throw new Error(`--${other} cannot be combined with --continue: the report has the plan`);
    return { command: "continue", report: values.continue, parallel };
  }
  const wanted = values.kinds?.split(",");
  wanted?.forEach(disturbanceNamed);
  const first = whole("seed", values.seed ?? String(Math.floor(Date.now() / 1000) % 1_000_000), 0);
  const plan = {
    seeds: seedsFrom(first, whole("rounds", values.rounds ?? "8", 1), wanted ?? kinds),
    providers: values.provider === undefined ? providerNames : [providerNamed(values.provider)],
    tenants: whole("tenants", values.tenants ?? "300", 8),
    checkpoints: checkpointModeNamed(values.checkpoints ?? "each"),
  };
  return { command: "play", plan, parallel, report: values.report };
}

/** The next seeds whose rounds have the wanted kinds. */
function seedsFrom(first: number, count: number, wanted: readonly string[]): number[] {
  const seeds: number[] = [];
  for (let seed = first; seeds.length < count; seed += 1) if (wanted.includes(kindOf(seed))) seeds.push(seed);
  return seeds;
}

function providerNamed(text: string): ProviderName {
  const provider = providerNames.find((name) => name === text);
  if (provider === undefined) throw new Error(`--provider takes ${providerNames.join(" or ")}, not "${text}"`);
  return provider;
}

function checkpointModeNamed(text: string): CheckpointMode {
  const mode = checkpointModes.find((name) => name === text);
  if (mode === undefined) throw new Error(`--checkpoints takes each or end, not "${text}"`);
  return mode;
}

function whole(flag: string, text: string, least: number): number {
  const number = Number(text);
  if (/^\d+$/.test(text) && number >= least) return number;
  throw new Error(`--${flag} takes a whole number from ${least} up, not "${text}"`);
}
