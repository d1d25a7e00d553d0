import { delimiter, dirname, join } from "node:path";
import type { Engine } from "./engine.ts";
import { cacheDirectory } from "./set-up.ts";

/**
 * The environment for running `engine`: `base`, completed where it says nothing.
 *
 * - PATH begins with this process's Node.js, which the engine's language host takes, and the engine's folder. It ends with
 *   this clone's provider plugin, for projects whose Pulumi.yaml does not name it and which have none installed on PATH.
 * - No check for updates; for a built engine no downloads of plugins either, which come from where the engine could
 *   not be had from.
 * - The engine works on as many resources at once as by default on eight cores, also on the two of a CI runner. Most of the
 *   work is waiting: with Pulumi Cloud for each step to be recorded, and `up` and `destroy` are twice as fast (docs/guides/backends.md).
 * - Node.js keeps what it has compiled: a program starts in half the time. What one process has compiled is of use to
 *   another only where V8 has the same flags, and Pulumi's SDK sets one in programs and not in dynamic providers. So it is
 *   set from the start in both: else each throws away what the other keeps.
 * - Pulumi's SDK loads TypeScript and npm's installer only if a program needs them (engine/program-start).
 * - Node.js looks for garbage sooner: a program or provider takes 30 to 100 MB less, and no more time.
 * - On a file backend the state is compressed, without a second copy at every step: a third faster, equally safe.
 *   States written with and without are read by either. Other backends belong to a team and are left as they are.
 * - INTEGRATION_PLATFORM_CHECKPOINTS=end leaves out the engine's checkpoints: docs/decisions/checkpoints.md.
 * - gRPC, which programs and providers speak with the engine, would send even that through a proxy named in lower case.
 */
export function engineEnvironment(engine: Engine, base: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const path = [dirname(process.execPath), engine.binDirectory, ...(base.PATH ?? "").split(delimiter), pluginFolder];
  return {
    PULUMI_SKIP_UPDATE_CHECK: "true",
    PULUMI_PARALLEL: "32",
    no_grpc_proxy: "127.0.0.1",
    NODE_COMPILE_CACHE: join(cacheDirectory(), "compiled-javascript"),
    ...(engine.source === "build" && { PULUMI_DISABLE_AUTOMATIC_PLUGIN_ACQUISITION: "true" }),
    ...(base.PULUMI_BACKEND_URL?.startsWith("file:") && diyBackendSettings(base)),
    ...(base.INTEGRATION_PLATFORM_CHECKPOINTS === "end" && { PULUMI_SKIP_CHECKPOINTS: "true" }),
    ...base,
    // the user's options come last, so that they take precedence
    NODE_OPTIONS: ["--max-semi-space-size=4", `--require=${programStart}`, base.NODE_OPTIONS ?? ""].join(" ").trim(),
    PATH: [...new Set(path)].filter((directory) => directory !== "").join(delimiter),
  };
}

const pluginFolder = join(import.meta.dirname, "plugin");

/** In quotes, because NODE_OPTIONS is split at spaces. */
const programStart = JSON.stringify(join(import.meta.dirname, "program-start/main.cjs"));

/** What makes any backend but Pulumi Cloud faster, and leaves it equally safe. `base` may ask for gzip instead. */
export function diyBackendSettings(base: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  // Two kinds of compression at once would be a contradiction.
  const compression = base.PULUMI_DIY_BACKEND_GZIP === undefined && { PULUMI_DIY_BACKEND_ZSTD: "true" };
  return { ...compression, PULUMI_DIY_BACKEND_DISABLE_CHECKPOINT_BACKUPS: "true" };
}
