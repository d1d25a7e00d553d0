import { builtPlugin } from "../../../engine/built-plugin.ts";
import { builtProgram } from "../../../engine/built-program.ts";
import { findEngine } from "../../../engine/find-engine.ts";

/** Vitest's global set-up for the engine tier: finds or builds the engine, the plugin and the program before the first test's timeout starts. */
export async function setup(): Promise<void> {
  await Promise.all([findEngine(), builtPlugin(), builtProgram()]);
}
