import { createHash } from "node:crypto";
import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";

/** The name of the file that {@link writeChecksums} writes. */
export const checksumsFile = "SHA256SUMS";

/** Writes the SHA-256 digests of all files of a folder into the folder, as `sha256sum --check` reads them. */
export async function writeChecksums(folder: string): Promise<void> {
  const names = (await readdir(folder)).filter((name) => name !== checksumsFile).sort();
  const lines = await Promise.all(names.map(async (name) => `${await digestOf(join(folder, name))}  ${name}\n`));
  await writeFile(join(folder, checksumsFile), lines.join(""));
}

async function digestOf(file: string): Promise<string> {
  return createHash("sha256")
    .update(await readFile(file))
    .digest("hex");
}
