import { readdir } from "node:fs/promises";
import { runCommand } from "../engine/run-command.ts";

/** Packs entries of a folder as a `.tar.gz`. Default: all entries. */
export async function packFolder(archive: string, folder: string, entries?: readonly string[]): Promise<void> {
  const packed = entries ?? (await readdir(folder)).sort();
  const args = ["-czf", archive, "-C", folder, ...packed];
  const { code, stderr } = await runCommand("tar", args, { timeLimitSeconds: 60 });
  if (code !== 0) throw new Error(`tar failed.\n${stderr}`);
}
