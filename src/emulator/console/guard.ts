import type { MiddlewareHandler } from "hono";
import { csrf } from "hono/csrf";
import { HTTPException } from "hono/http-exception";
import { secureHeaders } from "hono/secure-headers";
import { hasForeignName } from "../http/access.ts";
import type { App, Environment } from "../http/environment.ts";
import { errorPage, refusalPage } from "./layout.ts";

/**
 * Protects the console from other web sites, as it needs no API key:
 *
 * - An emulator on loopback must be called by a loopback name. Another name may be a site's that resolves to loopback.
 * - A form must come from a page of this console, by the browser's headers `Sec-Fetch-Site` and `Origin`.
 * - A page may load nothing from elsewhere, and no site may show it in a frame.
 */
export function guard(pages: App, isOnLoopback: boolean): void {
  pages.use(noStore);
  pages.use(securityHeaders);
  pages.use(refuseForeignNames(isOnLoopback));
  pages.use(refuseOtherContentTypes);
  pages.use(csrf());
}

/** The page for an error that `csrf` throws; undefined for any other error. */
export function guardErrorPage(error: Error, url: string): ReturnType<typeof errorPage> | undefined {
  if (!(error instanceof HTTPException) || error.status !== 403) return undefined;
  const advice = `The form did not come from a page of ${new URL(url).origin}. Open that page, and send the form again.`;
  return errorPage("Form refused", advice);
}

const noStore: MiddlewareHandler = async (context, next) => {
  await next();
  context.res.headers.set("cache-control", "no-store");
};

const securityHeaders = secureHeaders({
  contentSecurityPolicy: {
    defaultSrc: ["'none'"],
    styleSrc: ["'self'"],
    scriptSrc: ["'self'"],
    connectSrc: ["'self'"], // live.js fetches the page again
    imgSrc: ["'self'"],
    formAction: ["'self'"],
    baseUri: ["'none'"],
    frameAncestors: ["'none'"],
  },
  referrerPolicy: "same-origin", // with "no-referrer" a browser would send forms with "Origin: null"
  strictTransportSecurity: false, // the emulator has no TLS
  xFrameOptions: "DENY",
});

function refuseForeignNames(isOnLoopback: boolean): MiddlewareHandler<Environment> {
  return async (context, next) => {
    if (!isOnLoopback || !hasForeignName(context)) return next();
    return context.html(refusalPage("Not a name of this emulator", "Open the console by its own address."), 403);
  };
}

const refuseOtherContentTypes: MiddlewareHandler = async (context, next) => {
  if (context.req.method === "GET" || context.req.method === "HEAD") return next();
  const contentType = context.req.header("content-type") ?? "";
  if (/^application\/x-www-form-urlencoded\s*(;|$)/i.test(contentType)) return next();
  return context.html(errorPage("Not a form", "The console accepts only the forms of its own pages."), 415);
};
