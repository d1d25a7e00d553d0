import { findBuiltEngine } from "./built-engine.ts";
import { findDownloadedEngine } from "./downloaded-engine.ts";
import { findEngineOnPath } from "./path-engine.ts";

/** A Pulumi engine that can run this project's programs. */
export interface Engine {
  /** Absolute path of the `pulumi` command. */
  readonly command: string;
  /** The folder of `command`. `pulumi-language-nodejs` is in it, beside the file that `command` links to, or on PATH. */
  readonly binDirectory: string;
  /** For example `3.259.0`. */
  readonly version: string;
  readonly source: EngineSource;
}

/** The sources of engines, in the order in which they are tried. */
const sources = ["path", "download", "build"] as const;

/**
 * Where an engine comes from:
 * - `path`: it is installed on this machine, in a folder of PATH.
 * - `download`: the official npm package `pulumi` has downloaded it.
 * - `build`: it was built from sources that come from the Go module proxy.
 */
export type EngineSource = (typeof sources)[number];

/** The result of the search in one source: an engine, or the reason why the source has none. */
export type EngineAttempt = { readonly engine: Engine } | { readonly unavailable: string };

/**
 * Finds a usable engine. It tries the sources in this order: a `pulumi` (3.200 or later) on PATH, the download by the official
 * npm package, and a build, which needs Go.
 *
 * A first download or build may take minutes, and prints this on standard error. Later calls use its result.
 *
 * The environment variable `INTEGRATION_PLATFORM_ENGINE=path|download|build` restricts the search to one source.
 *
 * @throws Error with the reason of each source why it has no engine.
 */
export async function findEngine(): Promise<Engine> {
  const reasons: string[] = [];
  for (const source of allowedSources(process.env.INTEGRATION_PLATFORM_ENGINE)) {
    const attempt = await finders[source]();
    if ("engine" in attempt) return attempt.engine;
    reasons.push(`- ${source}: ${attempt.unavailable}`);
  }
  throw new Error(`No Pulumi engine was found, downloaded or built.\n${reasons.join("\n")}\n${whatToInstall}`);
}

const whatToInstall = "Install the Pulumi CLI 3.200 or later, or Go 1.25 or later: see docs/troubleshooting.md.";

const finders: Record<EngineSource, () => Promise<EngineAttempt>> = {
  path: findEngineOnPath,
  download: findDownloadedEngine,
  build: findBuiltEngine,
};

/** @param wanted the value of INTEGRATION_PLATFORM_ENGINE. */
function allowedSources(wanted: string | undefined): readonly EngineSource[] {
  if (wanted === undefined || wanted === "") return sources;
  const chosen = sources.filter((source) => source === wanted);
  if (chosen.length === 0) {
    throw new Error(`INTEGRATION_PLATFORM_ENGINE is "${wanted}"; it can be one of ${sources.join(", ")}.`);
  }
  return chosen;
}
