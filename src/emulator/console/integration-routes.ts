import { z } from "zod";
import { seedIntegrationSchema, seedReleaseSchema } from "../entities/seed.ts";
import type { App } from "../http/environment.ts";
import { integerParameter } from "../http/parameters.ts";
import {
  addIntegration,
  addRelease,
  changeAsPartner,
  changeIntegration,
  partnerChangeSchema,
} from "../operations/administer-integrations.ts";
import { requestBuild } from "../operations/builds.ts";
import { requireRelease } from "../operations/require.ts";
import { cronSchema } from "../rules/cron.ts";
import { parseRequest } from "../rules/parse-request.ts";
import { asInvalidRequest } from "../rules/problems.ts";
import { integrationListPage, newIntegrationForm } from "./integration-list-page.ts";
import { integrationForms, integrationPage } from "./integration-page.ts";
import type { Site } from "./site.ts";
import { jsonField, optionalText, submit, text, viewOf } from "./submission.ts";

/** The pages about integrations, and their forms. */
export function integrationRoutes(app: App, site: Site): void {
  const { platform } = site;
  const path = "/integrations/:integration_id" as const;
  const idOf = (parameter: string) => integerParameter("integration_id", parameter);

  app.get("/integrations", (context) => context.html(integrationListPage(viewOf(site, context))));
  app.post("/integrations", (context) =>
    submit(
      site,
      context,
      newIntegrationForm,
      (fields) => {
        const given = parseRequest(newIntegrationSchema, newIntegration(fields), "body");
        const { id, name } = asInvalidRequest(() => addIntegration(platform, given, "console"));
        return { goTo: `/console/integrations/${id}`, notice: { text: `Integration ${name} was added.` } };
      },
      integrationListPage,
    ),
  );

  app.get(path, (context) =>
    context.html(integrationPage(viewOf(site, context), idOf(context.req.param("integration_id")))),
  );
  app.post(`${path}/builds`, (context) => {
    const id = idOf(context.req.param("integration_id"));
    return submit(
      site,
      context,
      integrationForms.build,
      (fields) => {
        const request = { integration_id: id, tag: text(fields, "tag"), branch: optionalText(fields, "branch") };
        requestBuild(platform, request);
        return { goTo: pathOf(id), notice: { text: `A build of ${request.tag} was requested.` } };
      },
      (view) => integrationPage(view, id),
    );
  });
  app.post(`${path}/releases`, (context) => {
    const id = idOf(context.req.param("integration_id"));
    return submit(
      site,
      context,
      integrationForms.release,
      (fields) => {
        const given = parseRequest(seedReleaseSchema, newRelease(fields), "body");
        const release = asInvalidRequest(() => addRelease(platform, id, given));
        return { goTo: pathOf(id), notice: { text: `Release ${release.name} was added.` } };
      },
      (view) => integrationPage(view, id),
    );
  });
  app.post(`${path}/releases/:release_id/default`, (context) => {
    const id = idOf(context.req.param("integration_id"));
    const releaseId = integerParameter("release_id", context.req.param("release_id"));
    return submit(
      site,
      context,
      integrationForms.makeDefault,
      () => {
        const release = requireRelease(platform, id, releaseId);
        changeIntegration(platform, id, { default_release_id: release.id });
        return { goTo: pathOf(id), notice: { text: `${release.name} is the default release.` } };
      },
      (view) => integrationPage(view, id),
    );
  });
  app.post(`${path}/partner-changes`, (context) => {
    const id = idOf(context.req.param("integration_id"));
    return submit(
      site,
      context,
      integrationForms.partner,
      (fields) => {
        const { default_schedule, ...named } = partnerChange(fields);
        const schedule = parseRequest(scheduleSchema, { default_schedule }, "body");
        const change = parseRequest(
          partnerChangeSchema,
          { ...named, change: { ...named.change, ...schedule } },
          "body",
        );
        changeAsPartner(platform, id, change);
        return { goTo: pathOf(id), notice: { text: `The integration was changed as ${change.partner.name}.` } };
      },
      (view) => integrationPage(view, id),
    );
  });
}

const newIntegrationSchema = seedIntegrationSchema.omit({ releases: true });
const scheduleSchema = z.object({ default_schedule: cronSchema.nullable() });

function pathOf(id: number): string {
  return `/console/integrations/${id}`;
}

function newIntegration(fields: URLSearchParams): object {
  const connectors = (name: string, isGlobal: boolean) =>
    text(fields, name)
      .split(",")
      .map((part) => part.trim())
      .filter((part) => part !== "")
      .map((part) => ({ name: part, isGlobal }));
  return {
    name: text(fields, "name"),
    long_name: optionalText(fields, "long_name"),
    connectors: [...connectors("connectors", false), ...connectors("global_connectors", true)],
    repository_tracking_branch: optionalText(fields, "repository_tracking_branch"),
    default_schedule: optionalText(fields, "default_schedule"),
  };
}

function newRelease(fields: URLSearchParams): object {
  return {
    name: text(fields, "name"),
    tag: optionalText(fields, "tag"),
    config_version: optionalText(fields, "config_version"),
    config_schema: jsonField(fields, "config_schema"),
    metadata_schema: jsonField(fields, "metadata_schema"),
  };
}

function partnerChange(fields: URLSearchParams) {
  return {
    partner: { id: Number(text(fields, "partner_id") || Number.NaN), name: text(fields, "partner_name") },
    change: { long_name: text(fields, "long_name") },
    default_schedule: optionalText(fields, "default_schedule") ?? null,
  };
}
