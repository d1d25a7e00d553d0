import { randomUUID } from "node:crypto";
import { open, realpath, rename, rm, stat } from "node:fs/promises";
import { dirname } from "node:path";

// Not write-file-atomic 8.0.0: on a full disk it put a file that was cut short in place, without an error, and it does not sync the
// folder.

/**
 * Writes a file as a whole: after a crash it has its old or its new content. It keeps its permissions, and a link to it stays
 * a link.
 */
export async function replaceFile(path: string, content: string): Promise<void> {
  const target = await realpath(path).catch(() => path);
  const mode = await stat(target).then(
    (stats) => stats.mode & 0o777,
    () => undefined,
  );
  const partial = `${target}.${randomUUID()}.partial`;
  try {
    const file = await open(partial, "w");
    try {
      await file.writeFile(content);
      if (mode !== undefined) await file.chmod(mode);
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(partial, target);
  } catch (error) {
    await rm(partial, { force: true });
    throw error;
  }
  await syncFolder(dirname(target));
}

/** Makes the new name durable, where the system can. */
async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, "r").catch(() => undefined);
  await folder?.sync().catch(() => undefined);
  await folder?.close();
}
