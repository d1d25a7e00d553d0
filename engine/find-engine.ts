import { findBuiltEngine } from "./built-engine.ts";
import { findDownloadedEngine } from "./downloaded-engine.ts";
import { findEngineOnPath } from "./path-engine.ts";

/** A Pulumi engine that can run this project's programs. */
export interface Engine {
  /** Absolute path of the `pulumi` command. */
  readonly command: string;
  /** The folder that holds it; `pulumi-language-nodejs` is in it, or on PATH. */
  readonly binDirectory: string;
  /** For example `3.259.0`. */
  readonly version: string;
  /** `path`: was installed already. `download`: by the official npm package. `build`: from the Go module proxy. */
  readonly source: EngineSource;
}

export type EngineSource = "path" | "download" | "build";

/** The result of one search: an engine, or the reason why there is none. */
export type EngineAttempt = { readonly engine: Engine } | { readonly unavailable: string };

/**
 * Finds a usable engine, downloading or building one if there is none yet: a `pulumi` (>= 3.200) on PATH, else what the
 * official npm package downloads, else a build from the Go module proxy (needs Go). The first time may take minutes and
 * says so on standard error; later calls take the one that is there.
 *
 * `INTEGRATION_PLATFORM_ENGINE=path|download|build` allows one of the three only.
 *
 * @throws Error naming, for each place, why it gave no engine.
 */
export async function findEngine(): Promise<Engine> {
  const reasons: string[] = [];
  for (const source of allowedSources(process.env.INTEGRATION_PLATFORM_ENGINE)) {
    const attempt = await finders[source]();
    if ("engine" in attempt) return attempt.engine;
    reasons.push(`- ${source}: ${attempt.unavailable}`);
  }
  throw new Error(`No Pulumi engine could be found or made.\n${reasons.join("\n")}`);
}

const sources = ["path", "download", "build"] as const;

const finders: Record<EngineSource, () => Promise<EngineAttempt>> = {
  path: findEngineOnPath,
  download: findDownloadedEngine,
  build: findBuiltEngine,
};

function allowedSources(override: string | undefined): readonly EngineSource[] {
  if (override === undefined || override === "") return sources;
  const chosen = sources.filter((source) => source === override);
  if (chosen.length === 0) {
    throw new Error(`INTEGRATION_PLATFORM_ENGINE is "${override}"; it can be one of ${sources.join(", ")}.`);
  }
  return chosen;
}
