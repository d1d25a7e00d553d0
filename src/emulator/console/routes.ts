import { readFileSync } from "node:fs";
import { Hono } from "hono";
import type { App, Environment } from "../http/environment.ts";
import { integerParameter } from "../http/parameters.ts";
import { errorResponse } from "../http/responses.ts";
import { InvalidRequest, NotFound } from "../rules/problems.ts";
import { apiPage } from "./api-page.ts";
import { behaviorRoutes } from "./behavior-routes.ts";
import { deliveryPage } from "./delivery-page.ts";
import { guard, guardErrorPage } from "./guard.ts";
import { integrationRoutes } from "./integration-routes.ts";
import { errorPage } from "./layout.ts";
import { overviewPage } from "./overview-page.ts";
import { requestListPage } from "./request-list-page.ts";
import { runListPage, runPage } from "./run-pages.ts";
import { settingsRoutes } from "./settings-routes.ts";
import { createNotices, type Site, type SiteParts } from "./site.ts";
import { viewOf } from "./submission.ts";
import { tenantRoutes } from "./tenant-routes.ts";

/**
 * The management console under `/console`: HTML pages for people, rendered on the server. They use the same operations
 * as the API and the routes under `/_emulator`. They work without JavaScript; `live.js` only keeps them up to date.
 */
export function consoleRoutes(app: App, parts: SiteParts & { readonly isOnLoopback: boolean }): void {
  const site: Site = { ...parts, notices: createNotices() };
  const pages: App = new Hono<Environment>();
  guard(pages, parts.isOnLoopback);
  pages.onError((error, context) => {
    const page = guardErrorPage(error, context.req.url);
    if (page) return htmlResponse(403, page);
    if (error instanceof NotFound) return htmlResponse(404, errorPage("Not found", `${error.message}.`));
    if (error instanceof InvalidRequest) return htmlResponse(404, errorPage("Not found", problemOfAddress(error)));
    const { status } = errorResponse(error);
    return htmlResponse(status, errorPage("Something went wrong", "The emulator printed the error on its terminal."));
  });

  pages.get("/", (context) => context.html(overviewPage(viewOf(site, context))));
  assetRoutes(pages);
  tenantRoutes(pages, site);
  integrationRoutes(pages, site);
  pages.get("/runs", (context) => context.html(runListPage(viewOf(site, context))));
  pages.get("/runs/:run_id", (context) => {
    const id = integerParameter("run_id", context.req.param("run_id"));
    return context.html(runPage(viewOf(site, context), id));
  });
  pages.get("/deliveries", (context) => context.html(deliveryPage(viewOf(site, context))));
  pages.get("/requests", (context) => context.html(requestListPage(viewOf(site, context))));
  settingsRoutes(pages, site);
  behaviorRoutes(pages, site);
  pages.get("/api", (context) => context.html(apiPage(viewOf(site, context))));
  pages.all("*", () => htmlResponse(404, errorPage("Not found", noSuchPage)));

  app.route("/console", pages);
}

/** What is wrong with the address of a page. */
function problemOfAddress({ details }: InvalidRequest): string {
  const problems = details
    .filter(({ loc }) => loc[0] === "query")
    .map(({ loc, msg }) => `${loc.slice(1).join(".")}: ${msg}`);
  return problems.length > 0 ? `The address has a problem: ${problems.join("; ")}.` : noSuchPage;
}

const noSuchPage = "There is no such page.";

async function htmlResponse(status: number, page: ReturnType<typeof errorPage>): Promise<Response> {
  return new Response(String(await page), { status, headers: { "content-type": "text/html; charset=UTF-8" } });
}

/** The files that the pages load. They are read once, when the emulator starts. */
function assetRoutes(pages: App): void {
  for (const [name, contentType] of Object.entries(assets)) {
    const body = readFileSync(new URL(name, import.meta.url), "utf8");
    pages.get(`/${name}`, (context) => context.body(body, 200, { "content-type": contentType }));
  }
}

const assets = {
  "console.css": "text/css; charset=utf-8",
  "live.js": "text/javascript; charset=utf-8",
  "icon.svg": "image/svg+xml",
};
