import type { App } from "./environment.ts";

/** Leads a person who opens a bare address to a page. Other programs get the 404 of a path without a route. */
export function redirectBrowsers(app: App): void {
  for (const [path, page] of Object.entries(redirects)) {
    app.get(path, (context, next) => (asksForHtml(context.req.raw) ? context.redirect(page) : next()));
  }
}

/**
 * Whether a person's browser sent a request that is not meant for the API: to a bare address, or for the icon of a page
 * that has none.
 */
export function isOfBrowser(request: Request, path: string): boolean {
  return path === "/favicon.ico" || (Object.hasOwn(redirects, path) && asksForHtml(request));
}

const redirects = { "/": "/console", "/docs": "/console/api" } as const;

function asksForHtml({ method, headers }: Request): boolean {
  return (method === "GET" || method === "HEAD") && headers.get("accept")?.includes("text/html") === true;
}
