import type { Context, MiddlewareHandler } from "hono";
import { isValidKey } from "../operations/api-keys.ts";
import type { Platform } from "../platform.ts";
import { isLoopbackName } from "../rules/loopback.ts";
import type { Environment } from "./environment.ts";
import { json } from "./responses.ts";

/**
 * Refuses requests without a valid API key in the header `x-api-key` (specification, "Authentication"). The
 * specification does not give the status.
 */
export function requireApiKey(platform: Platform): MiddlewareHandler {
  return async (context, next) => {
    const given = context.req.header("x-api-key");
    if (given !== undefined && isValidKey(platform, given)) return next();
    return json({ detail: "Not authorized" }, 403);
  };
}

/**
 * Refuses requests that a web page of another site could make. The routes behind it need no API key, so:
 *
 * - A body must have the content type JSON, which a form cannot have. A request without a body needs no content type, unless
 *   it has an Origin, as a browser's have.
 * - A request with an Origin must go to the host of that origin.
 * - An emulator on loopback must be called by a loopback name. Another name may be a site's that resolves to loopback.
 *
 * hono's `csrf` checks only the content types of forms, and this middleware refuses all of those.
 */
export function requireSameSite(isOnLoopback: boolean): MiddlewareHandler<Environment> {
  return async (context, next) => {
    const { method, url } = context.req;
    const { host } = new URL(url);
    const origin = context.req.header("origin");
    if (isOnLoopback && hasForeignName(context)) return foreignNameResponse();
    if (origin !== undefined && URL.parse(origin)?.host !== host) return json({ detail: "Cross-site request" }, 403);

    const mayHaveBody = method === "POST" || method === "PATCH" || method === "PUT";
    const contentType = context.req.header("content-type");
    const isBare = context.env.bodyText === "" && contentType === undefined && origin === undefined;
    if (mayHaveBody && !isBare && !/^application\/json\s*(;|$)/i.test(contentType ?? "")) {
      return json({ detail: "content-type must be application/json" }, 415);
    }
    return next();
  };
}

/**
 * Refuses requests by a name that is not a loopback name. For routes that need an API key and call other services of
 * this machine: the default key is public, so a site whose name resolves to loopback could call them.
 */
export function requireLoopbackName(isOnLoopback: boolean): MiddlewareHandler<Environment> {
  return async (context, next) => (isOnLoopback && hasForeignName(context) ? foreignNameResponse() : next());
}

/** Whether a request over the network names a host that is not a loopback name. */
export function hasForeignName({ env, req }: Context<Environment>): boolean {
  return env.isOverNetwork && !isLoopbackName(new URL(req.url).hostname);
}

function foreignNameResponse(): Response {
  return json({ detail: "Call the emulator by its own address, not by another host name" }, 403);
}
