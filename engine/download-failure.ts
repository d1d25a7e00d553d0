import { readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import { cacheDirectory } from "./set-up.ts";

const failureSchema = z.object({ version: z.string(), reason: z.string(), failedAt: z.iso.datetime() });

/** A failed download: the version, the reason and the time (ISO 8601, UTC). */
export type DownloadFailure = z.infer<typeof failureSchema>;

const rememberedForMilliseconds = 24 * 60 * 60 * 1000;
const file = () => join(cacheDirectory(), "download-failure.json");

/** The failure to download this version within the last day, if there was one. */
export async function recentFailure(version: string): Promise<DownloadFailure | undefined> {
  const failure = failureSchema.safeParse(await readJson(file())).data;
  if (failure?.version !== version) return undefined;
  return Date.now() - Date.parse(failure.failedAt) < rememberedForMilliseconds ? failure : undefined;
}

export async function rememberFailure(failure: DownloadFailure): Promise<void> {
  await writeFile(file(), `${JSON.stringify(failure, null, 2)}\n`);
}

export async function forgetFailure(): Promise<void> {
  await rm(file(), { force: true });
}

async function readJson(path: string): Promise<unknown> {
  try {
    return JSON.parse(await readFile(path, "utf8"));
  } catch {
    return undefined;
  }
}
