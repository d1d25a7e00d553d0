import { globSync } from "node:fs";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import type { Project } from "./create-project.ts";

/**
 * Removes the lock that a killed `up` has left. The backend in a folder replaces a state atomically, but not the file of its
 * attributes, which a kill can leave empty. The engine does without this file, so it is removed, as a user would.
 */
export async function unlock(project: Project): Promise<void> {
  const { code, stdout, stderr } = await project.run(["cancel", "--yes"]);
  if (code === 0) return;
  if (!stderr.includes("failed to load checkpoint: EOF")) throw new Error(`no cancel:\n${stdout}\n${stderr}`);
  for (const attributes of globSync(join(project.directory, ".pulumi-state/.pulumi/stacks/*/*.attrs")))
    await rm(attributes);
  await project.mustRun(["cancel", "--yes"]);
}
