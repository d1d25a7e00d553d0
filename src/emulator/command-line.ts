import { parseArgs } from "node:util";
import { parsePort } from "../server-command.ts";
import type { EmulatorOptions } from "./emulator-options.ts";
import { defaultLagSeconds } from "./platform.ts";
import { changeVariants, defaultVariants, listVariants, type Variants } from "./variants.ts";

/** The port when none is given. */
export const defaultPort = 4010;

export const usage = `The integration platform as a local HTTP server.

  --port N               default ${defaultPort}; 0 takes any free one
  --host H               default 127.0.0.1; anything else lets others in
  --data DIR             keeps the state in this directory; default: in memory
  --seed FILE            a YAML file to begin with, when the state is empty; default: the built-in seed
  --api-key KEY          default sandbox-key
  --variant name=value   how it answers what the specification leaves open; may be given several times
  --lag-seconds N        how long writes stay unseen in the variant visibility=lagging; default ${defaultLagSeconds}
  --clock real|manual    default real; a manual one moves only by POST /_emulator/clock
  --help                 this text

Variants, the default first:
${listVariants()}`;

/**
 * What a command line asks for; "help" for `--help`.
 *
 * @throws Error that says which argument is wrong.
 */
export function parseCommandLine(args: readonly string[]): EmulatorOptions | "help" {
  const { values } = parseArgs({
    args: [...args],
    options: {
      port: { type: "string" },
      host: { type: "string" },
      data: { type: "string" },
      seed: { type: "string" },
      "api-key": { type: "string" },
      variant: { type: "string", multiple: true },
      "lag-seconds": { type: "string" },
      clock: { type: "string" },
      help: { type: "boolean", short: "h" },
    },
  });
  if (values.help) return "help";
  return {
    port: parsePort(values.port ?? String(defaultPort)),
    host: values.host,
    data: values.data,
    seed: values.seed,
    apiKey: values["api-key"],
    variants: parseVariants(values.variant ?? []),
    lagSeconds: parseLag(values["lag-seconds"] ?? String(defaultLagSeconds)),
    clock: parseClock(values.clock ?? "real"),
  };
}

function parseClock(text: string): "real" | "manual" {
  if (text === "real" || text === "manual") return text;
  throw new Error(`--clock must be real or manual, not "${text}"`);
}

function parseLag(text: string): number {
  if (/^\d+(\.\d+)?$/.test(text)) return Number(text);
  throw new Error(`--lag-seconds must be a number of seconds, not "${text}"`);
}

function parseVariants(assignments: readonly string[]): Variants {
  return assignments.reduce((variants, assignment) => {
    const [name = "", ...value] = assignment.split("=");
    if (value.length === 0) throw new Error(`--variant must be name=value, not "${assignment}"`);
    return changeVariants(variants, { [name]: value.join("=") });
  }, defaultVariants);
}
