import type { MiddlewareHandler } from "hono";
import type { Environment } from "../http/environment.ts";
import { isForeignName } from "../http/same-site.ts";
import { type FormToken, formTokenField } from "./form-token.ts";
import { refusalPage } from "./refusal-page.ts";

/**
 * Keeps other web sites away from the console, which needs no API key. It must be called by a name of this machine; a
 * form must come from one of its own pages, as the browser says (`Sec-Fetch-Site`, `Origin`) and as its token proves.
 */
export function guard(formToken: FormToken, isOnLoopback: boolean): MiddlewareHandler<Environment> {
  return async (context, next) => {
    if (isOnLoopback && isForeignName(context)) {
      return context.html(refusalPage("Not a name of this emulator", "Open the console by its own address."), 403);
    }
    if (context.req.method === "GET" || context.req.method === "HEAD") return next();

    const contentType = context.req.header("content-type") ?? "";
    if (!/^application\/x-www-form-urlencoded\s*(;|$)/i.test(contentType)) {
      return context.html(refusalPage("Not a form", "The console takes the forms of its own pages."), 415);
    }
    const token = new URLSearchParams(context.env.bodyText).get(formTokenField);
    const { origin, host } = new URL(context.req.url);
    const sentFrom = context.req.header("origin");
    const site = context.req.header("sec-fetch-site");
    const isForeign =
      (sentFrom !== undefined && URL.parse(sentFrom)?.host !== host) ||
      (site !== undefined && site !== "same-origin" && site !== "none");
    if (isForeign || !formToken.isRight(token)) {
      const advice = `The form was not sent from a page of ${origin}, or the emulator has been restarted since. Go back, reload, and send it again.`;
      return context.html(refusalPage("Form refused", advice), 403);
    }
    return next();
  };
}

/** Puts the headers on every answer that let a page do no more than it has to. */
export const securityHeaders: MiddlewareHandler<Environment> = async (context, next) => {
  await next();
  for (const [name, value] of Object.entries(headers)) context.res.headers.set(name, value);
};

const headers = {
  "content-security-policy": [
    "default-src 'none'",
    "style-src 'self'",
    "script-src 'self'",
    // The script fetches the page anew.
    "connect-src 'self'",
    "img-src 'self'",
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join("; "),
  "x-content-type-options": "nosniff",
  // With "no-referrer" a browser would send forms with "Origin: null".
  "referrer-policy": "same-origin",
  "cross-origin-opener-policy": "same-origin",
  "cross-origin-resource-policy": "same-origin",
  "cache-control": "no-store",
};
