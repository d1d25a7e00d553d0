import { parseArgs } from "node:util";
import { type BackendName, backendNames } from "./backends/backend.ts";
import type { Contender } from "./contenders/contender.ts";
import { contenders } from "./contenders/contenders.ts";
import { sharedUpToTenants } from "./entrants.ts";

/** What to measure. */
export interface Plan {
  /** Numbers of tenants. */
  readonly sizes: readonly number[];
  readonly contenders: readonly Contender[];
  /** Where the states are stored. Includes `file`, because the others are compared with it. */
  readonly backends: readonly BackendName[];
  /** How long the platform delays each request. */
  readonly latenciesMilliseconds: readonly number[];
  /** How many rounds to run at a size. */
  readonly roundsAt: (size: number) => number;
}

export const usage = `npm run bench -- [flags]: compares ways to manage many tenants.

  --sizes 100,1000         numbers of tenants
  --contenders tenants,…   some of ${contenders.map(({ name }) => name).join(", ")}; default: all
  --backends file,…        some of ${backendNames.join(", ")}; default: file. The others apply to this package's resources only,
                           s3 and postgres up to ${sharedUpToTenants} tenants
  --latencies 0            delays of each request at the platform, in milliseconds, such as 0,50
  --rounds N               default: 3 up to 1,000 tenants, 1 above
  --help                   this text`;

/** Parses the command line; returns "help" for `--help`. @throws Error that says which flag is wrong. */
export function parseCommandLine(args: readonly string[]): Plan | "help" {
  const { values } = parseArgs({
    args: [...args],
    options: {
      sizes: { type: "string", default: "100,1000" },
      contenders: { type: "string", default: contenders.map(({ name }) => name).join() },
      backends: { type: "string", default: "file" },
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
    backends: backendsNamed(values.backends.split(",")),
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

function backendsNamed(names: readonly string[]): BackendName[] {
  const wrong = names.find((name) => !backendNames.some((backend) => backend === name));
  if (wrong !== undefined) throw new Error(`--backends: there is no "${wrong}", only ${backendNames.join(", ")}`);
  if (!names.includes("file")) throw new Error("--backends needs file among them: the others are compared with it");
  return backendNames.filter((backend) => names.includes(backend));
}

function numbers(flag: string, text: string, least: number): number[] {
  return text.split(",").map((word) => {
    const number = Number(word);
    if (/^\d+$/.test(word) && number >= least) return number;
    throw new Error(`--${flag} takes whole numbers from ${least} up, not "${word}"`);
  });
}
