import { Hono } from "hono";
import { answerToError } from "../http/answers.ts";
import type { App, Environment } from "../http/environment.ts";
import { integerParameter } from "../http/path-parameter.ts";
import { InvalidRequest, NotFound } from "../http/problems.ts";
import type { Platform } from "../platform.ts";
import { assetRoutes } from "./assets.ts";
import { deliveryPage } from "./delivery-page.ts";
import { createFormToken } from "./form-token.ts";
import { guard, securityHeaders } from "./guard.ts";
import { integrationRoutes } from "./integration-routes.ts";
import { createNotices } from "./notices.ts";
import { refusalPage } from "./refusal-page.ts";
import { runListPage } from "./run-list-page.ts";
import { runPage } from "./run-page.ts";
import { settingsRoutes } from "./settings-routes.ts";
import type { Site } from "./site.ts";
import { viewOf } from "./submission.ts";
import { tenantRoutes } from "./tenant-routes.ts";

/**
 * The management console under `/console`, for people: pages that the server renders, on the operations that the API and
 * `/_emulator` use. They work without a script; one small script keeps what they show up to date.
 */
export function consolePages(app: App, platform: Platform, options: { readonly isOnLoopback: boolean }): void {
  const site: Site = { platform, formToken: createFormToken(), notices: createNotices() };
  const pages: App = new Hono<Environment>();
  pages.onError((error) => {
    const status = error instanceof NotFound || error instanceof InvalidRequest ? 404 : answerToError(error).status;
    return htmlAnswer(status, status === 404 ? "Not found" : "Something went wrong", error);
  });
  pages.use(securityHeaders);
  pages.use(guard(site.formToken, options.isOnLoopback));

  pages.get("/", (context) => context.redirect("/console/tenants"));
  assetRoutes(pages);
  tenantRoutes(pages, site);
  integrationRoutes(pages, site);
  pages.get("/runs", (context) => context.html(runListPage(viewOf(site, context))));
  pages.get("/runs/:run_id", (context) => {
    const id = integerParameter("run_id", context.req.param("run_id"));
    return context.html(runPage(viewOf(site, context), id));
  });
  pages.get("/deliveries", (context) => context.html(deliveryPage(viewOf(site, context))));
  settingsRoutes(pages, site);
  pages.all("*", () => htmlAnswer(404, "Not found", new NotFound("There is no such page.")));

  app.route("/console", pages);
}

/** What was unexpected is told to the terminal, not to the page. */
async function htmlAnswer(status: number, title: string, error: Error): Promise<Response> {
  const text = status === 404 ? error.message : "The terminal of the emulator says what.";
  const body = await refusalPage(title, text);
  return new Response(String(body), { status, headers: { "content-type": "text/html; charset=UTF-8" } });
}
