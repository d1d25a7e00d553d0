import { diyBackendSettings } from "../../engine/engine-environment.ts";
import { prepareAwsPython } from "../../test/aws/moto/start-moto.ts";
import type { Backend, BackendName } from "./backend.ts";
import { openBucket } from "./bucket.ts";
import { openFolder } from "./folder.ts";
import { openJournal } from "./journal.ts";
import { openPostgres } from "./postgres.ts";

const openers = { file: openFolder, s3: openBucket, postgres: openPostgres, journal: openJournal } as const;

/** Opens a new backend. Its servers run in processes of their own, which do not count for any contender. */
export async function openBackend(name: BackendName): Promise<Backend> {
  const backend = await openers[name]();
  return { ...backend, env: { ...diyBackendSettings({}), ...backend.env } };
}

/** Installs what the backends need, once per machine, so that no measurement waits for it. */
export async function prepareBackends(names: readonly BackendName[]): Promise<void> {
  if (names.includes("s3")) await prepareAwsPython();
}
