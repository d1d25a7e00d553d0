import { findEngine } from "../../../engine/find-engine.ts";

/** Vitest's global set-up for the engine tier: finds or builds the engine before the first test's timeout starts. */
export async function setup(): Promise<void> {
  await findEngine();
}
