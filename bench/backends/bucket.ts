import { startBucket } from "../../test/engine/harness/start-bucket.ts";
import { type Backend, type StateFile, statesFolder } from "./backend.ts";

/** A bucket in moto's memory. */
export async function openBucket(): Promise<Backend> {
  const bucket = await startBucket();
  return {
    env: bucket.env,
    files: async () => {
      const keys = await bucket.keys(statesFolder);
      return Promise.all(keys.map(async (path) => fileOf(path, await bucket.read(path))));
    },
    [Symbol.asyncDispose]: () => bucket[Symbol.asyncDispose](),
  };
}

function fileOf(path: string, content: Buffer): StateFile {
  return { path, content, storedBytes: content.length };
}
