import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { openSandbox, type Sandbox } from "../sandbox.ts";
import { rolloutStory } from "./story.ts";

/** Takes a release to 40 tenants in waves, with a failure and the way back, with the real engine and the emulator. */
export async function tellRollout(): Promise<void> {
  await using sandbox = await openRolloutSandbox();
  for await (const _ of rolloutStory(sandbox));
}

/** A stack and a platform of its own. */
export async function openRolloutSandbox(): Promise<Sandbox> {
  return openSandbox({
    stack: "rollout",
    stackYaml: await readFile(join(import.meta.dirname, "stack.yaml"), "utf8"),
    platform: { seed: join(import.meta.dirname, "platform.yaml") },
  });
}
