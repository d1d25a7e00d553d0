import { globSync, readFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { type Backend, statesFolder } from "./backend.ts";

/** A folder on this machine. */
export async function openFolder(): Promise<Backend> {
  const folder = await mkdtemp(join(tmpdir(), "integration-platform-bench-state-"));
  return {
    env: { PULUMI_BACKEND_URL: pathToFileURL(folder).href },
    files: async () =>
      globSync(`${statesFolder}*/*`, { cwd: folder }).map((path) => {
        const content = readFileSync(join(folder, path));
        return { path, content, storedBytes: content.length };
      }),
    [Symbol.asyncDispose]: () => rm(folder, { recursive: true, force: true, maxRetries: 3 }),
  };
}
