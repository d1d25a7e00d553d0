import { timestamp } from "../clock.ts";
import type { IntegrationRecord } from "../entities/integration.ts";
import type { BuildRecord } from "../entities/release.ts";
import type { Platform } from "../platform.ts";
import { addRelease } from "./administer-integrations.ts";

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

function releaseContent({ store }: Platform, integration: IntegrationRecord, { tag, branch }: BuildRecord) {
  const newest = store.releases.findLatest(integration.id);
  const script = integration.builds?.find(
    (candidate) => (candidate.tag ?? tag) === tag && (candidate.branch ?? branch) === branch,
  );
  const { config_schema, metadata_schema, run_command } = { ...inherited(newest), ...script };
  return {
    name: `${integration.name} ${tag}`,
    tag,
    repository_tracking_branch: branch,
    run_command: run_command ?? null,
    config_schema: config_schema ?? null,
    metadata_schema: metadata_schema ?? null,
    config_version: script?.config_version ?? (newest ? nextConfigVersion(newest.config_version) : "1"),
  };
}

function inherited(newest: Inherited | undefined): Inherited | undefined {
  if (!newest) return undefined;
  const { config_schema, metadata_schema, run_command } = newest;
  return { config_schema, metadata_schema, run_command };
}

type Inherited = Pick<
  NonNullable<ReturnType<Platform["store"]["releases"]["find"]>>,
  "config_schema" | "metadata_schema" | "run_command"
>;

/** The next version: the last number of this one plus one. */
export function nextConfigVersion(version: string): string {
  const [, head = "", number] = /^(.*?)(\d+)$/.exec(version) ?? [];
  return number === undefined ? `${version}.1` : `${head}${Number(number) + 1}`;
}
