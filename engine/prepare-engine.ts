import type { Engine } from "./engine.ts";
import { applyEngineLogSetting } from "./engine-log.ts";
import { findEngine } from "./find-engine.ts";
import { say } from "./set-up.ts";

/**
 * The engine that a command is about to run in `cwd`. It first turns the engine's log off or on, because the search for an engine
 * runs one, which writes a log too. If there is no engine or a setting is wrong, it prints why and exits.
 *
 * @param env has the setting of the log.
 */
export async function prepareEngine(env: NodeJS.ProcessEnv, cwd: string): Promise<Engine> {
  try {
    await applyEngineLogSetting(env, cwd);
    return await findEngine();
  } catch (error) {
    say(error instanceof Error ? error.message : String(error));
    process.exit(1);
  }
}
