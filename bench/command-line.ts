import { parseArgs } from "node:util";
import type { Contender } from "./contenders/contender.ts";
import { contenders } from "./contenders/contenders.ts";

/** What is to be measured. */
export interface Plan {
  /** Numbers of tenants. */
  readonly sizes: readonly number[];
  readonly contenders: readonly Contender[];
  /** How long each request waits at the platform. */
  readonly latenciesMilliseconds: readonly number[];
  /** How often, at a size. */
  readonly roundsAt: (size: number) => number;
}

export const usage = `npm run bench -- [flags]: the ways to bring about many tenants, side by side.

  --sizes 100,1000         numbers of tenants
  --contenders tenants,…   of ${contenders.map(({ name }) => name).join(", ")}; default: all
  --latencies 0            milliseconds that each request waits at the platform, such as 0,50
  --rounds N               default 3 up to 1,000 tenants, 1 above
  --help                   this text`;

/** What a command line asks for; "help" for `--help`. @throws Error that says which flag is wrong. */
export function parseCommandLine(args: readonly string[]): Plan | "help" {
  const { values } = parseArgs({
    args: [...args],
    options: {
      sizes: { type: "string", default: "100,1000" },
      contenders: { type: "string", default: contenders.map(({ name }) => name).join() },
      latencies: { type: "string", default: "0" },
      rounds: { type: "string" },
      help: { type: "boolean", short: "h" },
    },
  });
  if (values.help) return "help";
  const [rounds] = values.rounds === undefined ? [] : numbers("rounds", values.rounds, 1);
  return {
    sizes: numbers("sizes", values.sizes, 1),
    contenders: values.contenders.split(",").map(contenderNamed),
    latenciesMilliseconds: numbers("latencies", values.latencies, 0),
    roundsAt: (size) => rounds ?? (size > 1000 ? 1 : 3),
  };
}

function contenderNamed(name: string): Contender {
  const found = contenders.find((contender) => contender.name === name);
  if (found !== undefined) return found;
  throw new Error(
    `--contenders: there is no "${name}", only ${contenders.map((contender) => contender.name).join(", ")}`,
  );
}

function numbers(flag: string, text: string, least: number): number[] {
  return text.split(",").map((word) => {
    const number = Number(word);
    if (/^\d+$/.test(word) && number >= least) return number;
    throw new Error(`--${flag} takes whole numbers from ${least} up, not "${word}"`);
  });
}
