import { globSync, readFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startServer } from "../server-process.ts";
import type { Backend } from "./backend.ts";

/** A service of the benchmark's own with the protocol of Pulumi Cloud: see `bench/journal/main.ts`. */
export async function openJournal(): Promise<Backend> {
  const folder = await mkdtemp(join(tmpdir(), "integration-platform-bench-journal-"));
  const service = await startServer("bench/journal/main.ts", "--folder", folder);
  return {
    // The engine wants a token for every address of HTTP; the service accepts any.
    env: { PULUMI_BACKEND_URL: service.url, PULUMI_ACCESS_TOKEN: "bench" },
    files: async () =>
      globSync("*/*/*.json", { cwd: folder }).map((path) => {
        const content = readFileSync(join(folder, path));
        return { path, content, storedBytes: content.length };
      }),
    [Symbol.asyncDispose]: async () => {
      await service[Symbol.asyncDispose]();
      await rm(folder, { recursive: true, force: true, maxRetries: 3 });
    },
  };
}
