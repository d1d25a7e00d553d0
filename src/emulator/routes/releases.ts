import type { ReleaseRecord } from "../entities/release.ts";
import { json } from "../http/answers.ts";
import type { App } from "../http/environment.ts";
import { integerParameter } from "../http/path-parameter.ts";
import { NotFound } from "../http/problems.ts";
import { requireIntegration, requireRelease } from "../operations/find.ts";
import { defaultRelease } from "../operations/resolve-release.ts";
import type { Platform } from "../platform.ts";
import { presentRelease } from "../presenting/release.ts";

/** Specification, "Endpoints": Integrations, their releases. */
export function releaseRoutes(app: App, platform: Platform): void {
  const path = "/v2/integrations/:integration_id/releases" as const;

  app.get(path, (context) => {
    const integrationId = integerParameter("integration_id", context.req.param("integration_id"));
    requireIntegration(platform, integrationId);
    const releases = platform.store.releases.list(integrationId);
    return json(releases.map((release) => presentRelease(platform, release)));
  });

  app.get(`${path}/default`, (context) => {
    const integrationId = integerParameter("integration_id", context.req.param("integration_id"));
    const release = defaultRelease(platform, requireIntegration(platform, integrationId));
    return answer(platform, release, `Integration ${integrationId} has no default release`);
  });

  app.get(`${path}/latest`, (context) => {
    // Declared as a string here, so a text that is no number is an integration that does not exist.
    const text = context.req.param("integration_id");
    const integrationId = Number(text);
    if (!/^\d+$/.test(text) || !Number.isSafeInteger(integrationId))
      throw new NotFound(`Integration ${text} not found`);
    requireIntegration(platform, integrationId);
    const release = platform.store.releases.findLatest(integrationId);
    return answer(platform, release, `Integration ${integrationId} has no release`);
  });

  app.get(`${path}/:release_id`, (context) => {
    const integrationId = integerParameter("integration_id", context.req.param("integration_id"));
    const releaseId = integerParameter("release_id", context.req.param("release_id"));
    return json(presentRelease(platform, requireRelease(platform, integrationId, releaseId)));
  });
}

function answer(platform: Platform, release: ReleaseRecord | undefined, messageWhenNone: string): Response {
  if (!release) throw new NotFound(messageWhenNone);
  return json(presentRelease(platform, release));
}
