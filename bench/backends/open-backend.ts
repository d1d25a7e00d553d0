import { diyBackendSettings } from "../../engine/engine-environment.ts";
import { prepareAwsPython } from "../../test/aws/moto/start-moto.ts";
import type { Backend, BackendName } from "./backend.ts";
import { openBucket } from "./bucket.ts";
import { openFolder } from "./folder.ts";
import { openPostgres } from "./postgres.ts";

const openers = { file: openFolder, s3: openBucket, postgres: openPostgres } as const;

/** Opens a backend that nobody else uses. Its servers are in processes of their own, which no contender pays for. */
export async function openBackend(name: BackendName): Promise<Backend> {
  const backend = await openers[name]();
  return { ...backend, env: { ...diyBackendSettings({}), ...backend.env } };
}

/** Gets what a backend needs, once per machine, so that nothing waits for it later. */
export async function prepareBackends(names: readonly BackendName[]): Promise<void> {
  if (names.includes("s3")) await prepareAwsPython();
}
