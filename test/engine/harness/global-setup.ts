import { findEngine } from "../../../engine/find-engine.ts";

/** Vitest's global set-up for the engine tier: the engine is found or made before any test's time limit runs. */
export async function setup(): Promise<void> {
  await findEngine();
}
