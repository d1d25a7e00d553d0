import { parseArgs } from "node:util";
import { type BackendName, backendNames } from "./backends/backend.ts";
import { contenderNames, engineLogs } from "./contenders/contender.ts";
import { contenderNamed } from "./contenders/contenders.ts";
import { entrantsAt, sharedUpToTenants, skippedAt } from "./entrants.ts";
import { type Plan, planNames, plans } from "./plans.ts";

/** What a command line asks for. */
export type Request =
  | { readonly command: "help" }
  | { readonly command: "continue" }
  /** `args` are the arguments of the plan, with which the run is recorded. */
  | { readonly command: "measure"; readonly plan: Plan; readonly args: readonly string[] };

export const usage = `npm run bench -- [flags]: compares ways to manage many tenants.

  --plan short             default: 1,000 tenants, one round, less than 15 minutes
  --plan long              everything that docs/performance.md tells, in three to four hours
  --continue               measures what the latest run lacks, if the commit is still the same

A measurement of your own has one or more of these flags instead of --plan:

  --sizes 100,1000         numbers of tenants
  --contenders tenants,…   some of ${contenderNames.join(", ")}; default: all
  --backends file,…        some of ${backendNames.join(", ")}; default: file. The others apply to this package's resources only,
                           s3 and postgres up to ${sharedUpToTenants} tenants
  --engine-log on,off      whether Pulumi's engine keeps its automatic log; default: on
  --latencies 0            delays of each request at the platform, in milliseconds, such as 0,50
  --rounds N               default: 3 up to 1,000 tenants, 1 above

  --help                   this text`;

/** Parses the command line. @throws Error that says which flag is wrong. */
export function parseCommandLine(args: readonly string[]): Request {
  const { values } = parseArgs({
    args: [...args],
    options: {
      plan: { type: "string" },
      continue: { type: "boolean" },
      sizes: { type: "string" },
      contenders: { type: "string" },
      backends: { type: "string" },
      "engine-log": { type: "string" },
      latencies: { type: "string" },
      rounds: { type: "string" },
      help: { type: "boolean", short: "h" },
    },
  });
  const { help, plan: name, continue: isContinued, ...own } = values;
  const ownFlags = Object.keys(own).map((flag) => `--${flag}`);
  if (help) return { command: "help" };
  if (isContinued) {
    if (args.length > 1) throw new Error("--continue takes no other flags: it uses those of the run that it continues");
    return { command: "continue" };
  }
  if (name !== undefined && ownFlags.length > 0)
    throw new Error(`--plan cannot be combined with ${ownFlags.join(", ")}`);
  const plan = ownFlags.length > 0 ? planOf(own) : plans[nameIn("plan", name ?? "short", planNames)];
  return { command: "measure", plan, args: args.length > 0 ? args : ["--plan", "short"] };
}

interface OwnFlags {
  readonly sizes?: string;
  readonly contenders?: string;
  readonly backends?: string;
  readonly "engine-log"?: string;
  readonly latencies?: string;
  readonly rounds?: string;
}

/** A group for each latency and size. */
function planOf(flags: OwnFlags): Plan {
  const names = namesIn("contenders", flags.contenders ?? contenderNames.join(), contenderNames);
  const logs = namesIn("engine-log", flags["engine-log"] ?? "on", engineLogs);
  const entry = {
    contenders: names.map(contenderNamed),
    backends: backendsNamed(flags.backends ?? "file"),
    engineLogs: engineLogs.filter((engineLog) => logs.includes(engineLog)),
  };
  const sizes = numbers("sizes", flags.sizes ?? "100,1000", 1);
  const [rounds] = flags.rounds === undefined ? [] : numbers("rounds", flags.rounds, 1);
  return numbers("latencies", flags.latencies ?? "0", 0).flatMap((latencyMilliseconds) =>
    sizes.map((size) => ({
      size,
      latencyMilliseconds,
      rounds: rounds ?? (size > 1000 ? 1 : 3),
      entrants: entrantsAt(size, entry),
      skipped: skippedAt(size, entry),
    })),
  );
}

function backendsNamed(text: string): BackendName[] {
  const names = namesIn("backends", text, backendNames);
  const shared = names.find((name) => name === "s3" || name === "postgres");
  if (shared !== undefined && !names.includes("file")) {
    throw new Error(`--backends ${shared} needs file with it: a shared backend is compared with a state in a folder`);
  }
  return backendNames.filter((backend) => names.includes(backend));
}

/** The words of a flag, each of which must be one of the names. */
function namesIn<Name extends string>(flag: string, text: string, names: readonly Name[]): Name[] {
  return text.split(",").map((word) => nameIn(flag, word, names));
}

function nameIn<Name extends string>(flag: string, word: string, names: readonly Name[]): Name {
  const found = names.find((name) => name === word);
  if (found !== undefined) return found;
  throw new Error(`--${flag}: there is no "${word}", only ${names.join(", ")}`);
}

function numbers(flag: string, text: string, least: number): number[] {
  return text.split(",").map((word) => {
    const number = Number(word);
    if (/^\d+$/.test(word) && number >= least) return number;
    throw new Error(`--${flag} takes whole numbers from ${least} up, not "${word}"`);
  });
}
