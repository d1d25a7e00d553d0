import { parseArgs } from "node:util";
import { type ProviderName, providerNames } from "../engine/harness/provider-under-test.ts";
import { disturbanceNamed, kindOf, kinds } from "./disturbances/index.ts";

/** The rounds to play. */
export interface Plan {
  readonly seeds: readonly number[];
  /** Each seed is played on each. */
  readonly providers: readonly ProviderName[];
  readonly tenants: number;
  readonly parallel: number;
  /** Where to write the report as JSON. */
  readonly report: string | undefined;
}

export const usage = `npm run test:chaos -- [flags]: stacks brought up, changed and destroyed while faults come.

  --rounds N        on each provider; default 8
  --seed S          of the first round; default: from the clock. Each round prints its own: \`--seed S --rounds 1\` replays it
  --kinds a,b       of ${kinds.join(", ")}; default: all, by turns
  --provider P      of ${providerNames.join(", ")}; default: each seed on both
  --tenants N       in each round; default 300
  --parallel N      rounds at once; default 1
  --report FILE     writes what was found as JSON, anew after every round
  --help            this text`;

/** Parses a command line. Returns "help" for `--help`. @throws Error that names the wrong flag. */
export function parseCommandLine(args: readonly string[]): Plan | "help" {
  const { values } = parseArgs({
    args: [...args],
    options: {
      rounds: { type: "string", default: "8" },
      seed: { type: "string", default: String(Math.floor(Date.now() / 1000) % 1_000_000) },
      kinds: { type: "string" },
      provider: { type: "string" },
      tenants: { type: "string", default: "300" },
      parallel: { type: "string", default: "1" },
      report: { type: "string" },
      help: { type: "boolean", short: "h" },
    },
  });
  if (values.help) return "help";
  const wanted = values.kinds?.split(",");
  wanted?.forEach(disturbanceNamed);
  return {
    seeds: seedsFrom(whole("seed", values.seed, 0), whole("rounds", values.rounds, 1), wanted ?? kinds),
    providers: values.provider === undefined ? providerNames : [providerNamed(values.provider)],
    tenants: whole("tenants", values.tenants, 8),
    parallel: whole("parallel", values.parallel, 1),
    report: values.report,
  };
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

function whole(flag: string, text: string, least: number): number {
  const number = Number(text);
  if (/^\d+$/.test(text) && number >= least) return number;
  throw new Error(`--${flag} takes a whole number from ${least} up, not "${text}"`);
}
