import * as z from "zod";
import type { Call } from "./call.ts";
import { path } from "./request.ts";
import { freeFormObject, recordId, wireList, wireObject } from "./wire-schema.ts";

/** `/v2/integrations/{integration_id}/releases` (specification, "Integrations"). */
export interface Releases {
  /** All releases of an integration, in the platform's order. */
  list(integrationId: number): Promise<Release[]>;
  /** The releases with a tag; tags need not be unique. The API has no such request: all releases are listed. */
  tagged(integrationId: number, tag: string): Promise<Release[]>;
  get(integrationId: number, releaseId: number): Promise<Release>;
  /** The release of the channel `Default`. */
  getDefault(integrationId: number): Promise<Release>;
  /** The release of the channel `Latest`: the newest build. */
  getLatest(integrationId: number): Promise<Release>;
}

/** A versioned build of an integration (specification, "IntegrationRelease"). */
export type Release = z.infer<typeof releaseSchema>;

export const releaseSchema = wireObject({
  id: recordId,
  name: z.string(),
  repository_tracking_branch: z.string().nullish(),
  run_command: z.string().nullish(),
  tag: z.string().nullish(),
  config_schema: freeFormObject.nullish(),
  config_version: z.string(),
  metadata_schema: freeFormObject.nullish(),
  created_date: z.string().nullish(),
  modified_date: z.string().nullish(),
});

export function createReleases(call: Call): Releases {
  async function getOne(releasePath: () => string) {
    return call({ method: "GET", path: releasePath() }, releaseSchema);
  }

  async function list(integrationId: number) {
    return call({ method: "GET", path: path`/v2/integrations/${integrationId}/releases` }, wireList(releaseSchema));
  }

  return {
    list,
    tagged: async (integrationId, tag) => (await list(integrationId)).filter((release) => release.tag === tag),
    get: (integrationId, releaseId) => getOne(() => path`/v2/integrations/${integrationId}/releases/${releaseId}`),
    getDefault: (integrationId) => getOne(() => path`/v2/integrations/${integrationId}/releases/default`),
    getLatest: (integrationId) => getOne(() => path`/v2/integrations/${integrationId}/releases/latest`),
  };
}
