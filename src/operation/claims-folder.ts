import { lstatSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const extension = ".claims";
/** A process adds a line twice a second, so a file that was not written for so long belongs to no operation. */
const unusedMilliseconds = 600_000;

/** The folder for the files of {@link openClaims} of this user. */
export function claimsFolder(): string {
  return join(tmpdir(), `integration-platform-claims${process.getuid === undefined ? "" : `-${process.getuid()}`}`);
}

/** Makes the folder for this user alone. Throws if it cannot be made or if others can use it. */
export function makePrivateFolder(folder: string): void {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const { mode, uid } = lstatSync(folder);
  if (process.getuid === undefined) return; // Windows: the temporary folder is the user's own
  if (uid !== process.getuid() || (mode & 0o077) !== 0) throw new Error(`${folder} is not private to this user`);
}

/** The file of the operation of the engine that listens on the address. */
export function claimsFile(folder: string, engineAddress: string): string {
  return join(folder, `${engineAddress.replaceAll(/[^\w.-]/g, "_")}${extension}`);
}

/**
 * Removes the files of operations that have ended.
 *
 * @param isUsed whether a file with this text belongs to an operation that still runs.
 */
export function removeUnused(folder: string, isUsed: (text: string) => boolean): void {
  for (const path of filesIn(folder)) {
    try {
      const wasWrittenAt = statSync(path).mtimeMs;
      if (Date.now() - wasWrittenAt < unusedMilliseconds || isUsed(readFileSync(path, "utf8"))) continue;
      if (statSync(path).mtimeMs === wasWrittenAt) rmSync(path); // an operation may have begun to use it
    } catch {
      // another process removes it
    }
  }
}

function filesIn(folder: string): string[] {
  try {
    return readdirSync(folder).flatMap((name) => (name.endsWith(extension) ? [join(folder, name)] : []));
  } catch {
    return []; // the user has emptied the temporary folder
  }
}
