import { findBuiltEngine } from "./built-engine.ts";
import { findDownloadedEngine } from "./downloaded-engine.ts";
import { type Engine, type EngineAttempt, type EngineSource, sources } from "./engine.ts";
import { findEngineOnPath } from "./path-engine.ts";

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
