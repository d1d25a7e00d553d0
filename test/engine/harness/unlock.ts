import { globSync } from "node:fs";
import { copyFile } from "node:fs/promises";
import { join } from "node:path";
import type { Project } from "./create-project.ts";

/**
 * Removes the lock that a killed up has left. The file backend writes a state in place: where the kill has cut it off, it is
 * restored from the engine's backup of the state before, as a user would.
 */
export async function unlock(project: Project): Promise<void> {
  const { code, stdout, stderr } = await project.run(["cancel", "--yes"]);
  if (code === 0) return;
  if (!stderr.includes("failed to load checkpoint: EOF")) throw new Error(`no cancel:\n${stdout}\n${stderr}`);
  const [state] = globSync(join(project.directory, ".pulumi-state/.pulumi/stacks/*/*.json"));
  if (state === undefined) throw new Error("the backend has no state");
  await copyFile(`${state}.bak`, state);
  await project.mustRun(["cancel", "--yes"]);
}
