import { builtPlugin } from "../../../engine/built-plugin.ts";
import { findEngine } from "../../../engine/find-engine.ts";

/** Vitest's global set-up for the engine tier: finds or builds the engine and the plugin before the first test's timeout starts. */
export async function setup(): Promise<void> {
  await Promise.all([findEngine(), builtPlugin()]);
}
