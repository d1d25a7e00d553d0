import { applyEngineLogSetting } from "./engine-log.ts";
import { type Engine, findEngine } from "./find-engine.ts";
import { say } from "./set-up.ts";

/**
 * The engine that a command is about to run in `cwd`. First the log is turned off or on, as `env` says: to ask an engine for its
 * version writes one too. If there is no engine, or a setting is wrong, it says so and ends this process.
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
