import { rm } from "node:fs/promises";
import { join } from "node:path";
import { turnEngineLogOff } from "../../engine/engine-log.ts";

/** Removes the engine's logs in a PULUMI_HOME that only a contender uses, and makes the engine write no others. */
export async function turnOffEngineLog({ PULUMI_HOME: home }: NodeJS.ProcessEnv): Promise<void> {
  if (home === undefined)
    throw new Error("the engine's log is only turned off in a PULUMI_HOME of the contender's own");
  const logs = join(home, "logs");
  await rm(logs, { recursive: true, force: true });
  const obstacle = await turnEngineLogOff(logs);
  if (obstacle !== undefined) throw new Error(obstacle);
}
