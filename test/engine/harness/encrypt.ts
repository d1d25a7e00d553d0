import { readFile, writeFile } from "node:fs/promises";
import { parse } from "yaml";
import { z } from "zod";
import type { Project } from "./create-project.ts";

const encryptedSchema = z.object({ config: z.record(z.string(), z.unknown()) });

/** Encrypts the strings with the real CLI, as this project's stack file holds them: `{"secure":"v1:..."}`. */
export async function encrypt(project: Project, ...texts: readonly string[]): Promise<string[]> {
  const before = await readFile(project.stackFile, "utf8");
  const assignments = texts.flatMap((text, index) => ["--secret", `throw-away:text${index}=${text}`]);
  await project.mustRun(["config", "set-all", ...assignments]);
  const { config } = encryptedSchema.parse(parse(await readFile(project.stackFile, "utf8")));
  await writeFile(project.stackFile, before);
  return texts.map((_, index) => JSON.stringify(config[`throw-away:text${index}`]));
}
