import { timestamp } from "../clock.ts";
import type { IntegrationRecord } from "../entities/integration.ts";
import { type BuildRecord, createBuildSchema } from "../entities/release.ts";
import type { Platform } from "../platform.ts";
import { parseRequest } from "../rules/parse-request.ts";
import { invalid } from "../rules/problems.ts";
import { addRelease } from "./administer-integrations.ts";

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

/**
 * Turns a build into its release. The release has the schemas that the integration's scripts give for the tag and branch,
 * else those of the newest release.
 */
export function finishBuild(platform: Platform, id: number): void {
  const { store, clock } = platform;
  const build = store.builds.find(id);
  const integration = build && store.integrations.find(build.integration_id);
  if (!build || !integration) return;

  // Several releases of one build are alike, so the content is computed once.
  const content = releaseContent(platform, integration, build);
  const releases = Array.from({ length: build.copies }, () => addRelease(platform, integration.id, content));
  store.builds.write({
    ...build,
    completed_date: timestamp(clock),
    release_ids: releases.map((release) => release.id),
  });
}

/** The version of the build file's format where neither a release nor a script has one. */
const firstConfigVersion = "1.0";

function releaseContent({ store }: Platform, integration: IntegrationRecord, { tag, branch }: BuildRecord) {
  const newest = store.releases.findLatest(integration.id);
  const script = integration.builds?.find(
    (candidate) => (candidate.tag ?? tag) === tag && (candidate.branch ?? branch) === branch,
  );
  const { config_schema, metadata_schema, run_command, config_version } = { ...inherited(newest), ...script };
  return {
    name: `${integration.name} ${tag}`,
    tag,
    repository_tracking_branch: branch,
    run_command: run_command ?? null,
    config_schema: config_schema ?? null,
    metadata_schema: metadata_schema ?? null,
    config_version: config_version ?? firstConfigVersion,
  };
}

function inherited(newest: Inherited | undefined): Inherited | undefined {
  if (!newest) return undefined;
  const { config_schema, metadata_schema, run_command, config_version } = newest;
  return { config_schema, metadata_schema, run_command, config_version };
}

type Inherited = Pick<
  NonNullable<ReturnType<Platform["store"]["releases"]["find"]>>,
  "config_schema" | "metadata_schema" | "run_command" | "config_version"
>;
