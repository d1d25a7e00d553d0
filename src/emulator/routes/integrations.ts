import type { ReleaseRecord } from "../entities/release.ts";
import { listQuerySchema, parseListQuery, queryOf } from "../http/parameters.ts";
import { json } from "../http/responses.ts";
import { usualErrors } from "../openapi/endpoint-description.ts";
import { defaultRelease } from "../operations/release-choice.ts";
import { requireIntegration, requireRelease } from "../operations/require.ts";
import type { Platform } from "../platform.ts";
import { presentIntegration, presentRelease } from "../presenting/integration.ts";
import { NotFound } from "../rules/problems.ts";
import type { Endpoint } from "./endpoint.ts";

const path = "/v2/integrations/{integration_id}";

/** Specification, "Endpoints": Integrations and their releases. */
export const integrationEndpoints: readonly Endpoint[] = [
  {
    method: "get",
    path: "/v2/integrations",
    summary: "List integrations",
    query: listQuerySchema,
    responses: { 200: ["Integration"], ...usualErrors },
    handle: ({ platform, url }) => {
      const integrations = platform.store.integrations.list(parseListQuery(queryOf(url), platform.variants));
      return json(integrations.map((integration) => presentIntegration(platform, integration)));
    },
  },
  {
    method: "get",
    path,
    summary: "One integration",
    responses: { 200: "Integration", ...usualErrors },
    handle: ({ platform, integer }) =>
      json(presentIntegration(platform, requireIntegration(platform, integer("integration_id")))),
  },
  {
    method: "get",
    path: `${path}/releases`,
    summary: "All releases",
    responses: { 200: ["IntegrationRelease"], ...usualErrors },
    handle: ({ platform, integer }) => {
      const { id } = requireIntegration(platform, integer("integration_id"));
      return json(platform.store.releases.list(id).map((release) => presentRelease(platform, release)));
    },
  },
  {
    method: "get",
    path: `${path}/releases/default`,
    summary: "The default release",
    responses: { 200: "IntegrationRelease", ...usualErrors },
    handle: ({ platform, integer }) => {
      const integration = requireIntegration(platform, integer("integration_id"));
      const release = defaultRelease(platform, integration);
      return releaseResponse(platform, release, `Integration ${integration.id} has no default release`);
    },
  },
  {
    method: "get",
    path: `${path}/releases/latest`,
    summary: "The latest release",
    responses: { 200: "IntegrationRelease", ...usualErrors },
    handle: ({ platform, parameter }) => {
      // The specification declares this integration_id as a string, so any string is valid and may name no integration.
      const given = parameter("integration_id");
      const id = Number(given);
      if (!/^\d+$/.test(given) || !Number.isSafeInteger(id)) throw new NotFound(`Integration ${given} not found`);
      requireIntegration(platform, id);
      const release = platform.store.releases.findLatest(id);
      return releaseResponse(platform, release, `Integration ${id} has no release`);
    },
  },
  {
    method: "get",
    path: `${path}/releases/{release_id}`,
    summary: "One release",
    responses: { 200: "IntegrationRelease", ...usualErrors },
    handle: ({ platform, integer }) =>
      json(presentRelease(platform, requireRelease(platform, integer("integration_id"), integer("release_id")))),
  },
];

function releaseResponse(platform: Platform, release: ReleaseRecord | undefined, messageWhenNone: string): Response {
  if (!release) throw new NotFound(messageWhenNone);
  return json(presentRelease(platform, release));
}
