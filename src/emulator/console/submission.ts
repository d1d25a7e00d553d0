import type { Context } from "hono";
import { isJsonObject, type JsonObject } from "../entities/json.ts";
import { parseFreeFormObject } from "../http/body.ts";
import type { Environment } from "../http/environment.ts";
import { InvalidRequest, invalid, NotFound } from "../http/problems.ts";
import type { Html } from "./elements.ts";
import type { Notice } from "./notices.ts";
import type { Site, View } from "./site.ts";

/** Where a form that was done leads to. */
export interface Done {
  /** A path, with no query. */
  readonly goTo: string;
  readonly notice: Notice;
}

/**
 * Does what a form asks for, and leads on, so that a reload does not do it again; or shows its page once more, with what
 * is wrong beside the form.
 */
export function submit(
  site: Site,
  context: Context<Environment>,
  form: string,
  work: (fields: URLSearchParams) => Done,
  showAgain: (view: View) => Html,
): Response | Promise<Response> {
  const fields = new URLSearchParams(context.env.bodyText);
  try {
    const { goTo, notice } = work(fields);
    return context.redirect(`${goTo}?notice=${site.notices.add(notice)}`, 303);
  } catch (error) {
    const problems = problemsOf(error);
    return context.html(showAgain({ ...site, attempt: { form, fields, problems } }), 422);
  }
}

/** What a page that is asked for shows: with the notice that its query names. */
export function viewOf(site: Site, context: Context<Environment>): View {
  return { ...site, notice: site.notices.take(context.req.query("notice") ?? "") };
}

/** A field's text without spaces around it; empty when it was not sent. */
export function text(fields: URLSearchParams, name: string): string {
  return fields.get(name)?.trim() ?? "";
}

/** The same; undefined when it is empty. */
export function optionalText(fields: URLSearchParams, name: string): string | undefined {
  return text(fields, name) || undefined;
}

/** @throws InvalidRequest when the field does not hold a JSON object; an empty one means `{}`. */
export function jsonField(fields: URLSearchParams, name: string): JsonObject {
  const given = text(fields, name);
  if (given === "") return {};
  try {
    return parseFreeFormObject(given);
  } catch (error) {
    if (error instanceof InvalidRequest) throw invalid([name], `must be a JSON object (${whyNot(given)})`);
    throw error;
  }
}

function whyNot(given: string): string {
  try {
    return isJsonObject(JSON.parse(given)) ? "nested too deeply" : "it is another kind of value";
  } catch (error) {
    return error instanceof SyntaxError ? error.message : String(error);
  }
}

/** One sentence per thing that is wrong. Anything that is not the sender's fault is thrown on. */
function problemsOf(error: unknown): string[] {
  if (error instanceof NotFound) return [error.message];
  if (!(error instanceof InvalidRequest)) throw error;
  return error.details.map(({ loc, msg }) => {
    const path = loc.filter((segment) => segment !== "body" && segment !== "path").join(".");
    return path === "" ? msg : `${path}: ${msg}`;
  });
}
