import { timestamp } from "../clock.ts";
import { type BuildRecord, createBuildSchema } from "../entities/release.ts";
import type { Platform } from "../platform.ts";
import { parseRequest } from "../rules/parse-request.ts";
import { invalid } from "../rules/problems.ts";

/**
 * POST /v2/sourcecontrol/build: accepts a build. A job turns it into a release later; see the variant `builds`.
 *
 * @throws InvalidRequest when the body is not a CreateBuild, or there is no such live integration.
 */
export function requestBuild(platform: Platform, body: unknown): BuildRecord {
  const { store, clock, variants } = platform;
  const request = parseRequest(createBuildSchema, body, "body");
  const integration = store.integrations.find(request.integration_id);
  if (!integration || integration.archived) {
    throw invalid(["body", "integration_id"], `Integration ${request.integration_id} not found`);
  }
  const build: BuildRecord = {
    id: store.builds.nextId(),
    integration_id: integration.id,
    tag: request.tag,
    branch: request.branch ?? integration.repository_tracking_branch,
    created_date: timestamp(clock),
    completed_date: null,
    copies: variants.builds === "twice" ? 2 : 1,
    release_ids: [],
  };
  const seconds = buildSeconds[variants.builds];
  store.transaction(() => {
    store.builds.write(build);
    if (seconds === undefined) return;
    store.jobs.write({ kind: "build", subject: build.id, dueAt: clock.now() + seconds * 1000, detail: null });
  });
  return build;
}

/** How long a build takes; undefined means that it never ends. */
const buildSeconds = { quick: 2, slow: 60, never: undefined, twice: 2 } as const;
