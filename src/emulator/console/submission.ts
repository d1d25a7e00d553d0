import type { Context } from "hono";
import type { Environment } from "../http/environment.ts";
import { parseFreeFormObject } from "../http/request-body.ts";
import { isJsonObject, type JsonObject } from "../rules/json.ts";
import { InvalidRequest, invalid, NotFound } from "../rules/problems.ts";
import type { Html } from "./elements.ts";
import type { Notice, Site, View } from "./site.ts";

/** Where the browser goes after a form was accepted. */
export interface Done {
  /** A path without a query. */
  readonly goTo: string;
  readonly notice: Notice;
}

/**
 * Handles a form. When the work succeeds, redirects to the next page, so that a reload does not send the form again.
 * When it is refused, shows the form's page again, with the problems beside the form.
 */
export function submit(
  site: Site,
  context: Context<Environment>,
  form: string,
  work: (fields: URLSearchParams) => Done,
  renderAgain: (view: View) => Html,
): Response | Promise<Response> {
  const fields = new URLSearchParams(context.env.bodyText);
  try {
    const { goTo, notice } = work(fields);
    return context.redirect(`${goTo}?notice=${site.notices.add(notice)}`, 303);
  } catch (error) {
    const problems = problemsOf(error);
    return context.html(renderAgain({ ...site, refusedForm: { name: form, fields, problems } }), 422);
  }
}

/** The view of a page that was requested, with the notice that its query names. */
export function viewOf(site: Site, context: Context<Environment>): View {
  return { ...site, notice: site.notices.take(context.req.query("notice") ?? "") };
}

/** The value of a field, without spaces around it; empty when the field was not sent. */
export function text(fields: URLSearchParams, name: string): string {
  return fields.get(name)?.trim() ?? "";
}

/** The value of a field, without spaces around it; undefined when it is empty. */
export function optionalText(fields: URLSearchParams, name: string): string | undefined {
  return text(fields, name) || undefined;
}

/** The JSON object in a field; an empty field means `{}`. @throws InvalidRequest when it holds something else. */
export function jsonField(fields: URLSearchParams, name: string): JsonObject {
  const given = text(fields, name);
  if (given === "") return {};
  try {
    return parseFreeFormObject(given);
  } catch (error) {
    if (error instanceof InvalidRequest) throw invalid([name], `must be a JSON object (${problemOf(given)})`);
    throw error;
  }
}

function problemOf(given: string): string {
  try {
    return isJsonObject(JSON.parse(given)) ? "it is nested too deeply" : "it is another kind of value";
  } catch (error) {
    return error instanceof SyntaxError ? error.message : String(error);
  }
}

/** One sentence for each problem with the form. Rethrows errors that the sender did not cause. */
function problemsOf(error: unknown): string[] {
  if (error instanceof NotFound) return [error.message];
  if (!(error instanceof InvalidRequest)) throw error;
  return error.details.map(({ loc, msg }) => {
    const path = loc.filter((segment) => segment !== "body" && segment !== "path").join(".");
    return path === "" ? msg : `${path}: ${msg}`;
  });
}
