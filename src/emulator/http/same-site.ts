import type { Context, MiddlewareHandler } from "hono";
import { isLoopbackName } from "../rules/loopback.ts";
import { json } from "./answers.ts";
import type { Environment } from "./environment.ts";

/**
 * Keeps web pages away from what needs no API key: a body must be declared as JSON, which a form of another site
 * cannot do; a request's Origin must be the address it goes to; and an emulator that listens on loopback must be
 * called by a loopback name, which a foreign name that resolves to loopback is not.
 */
export function sameSite(isOnLoopback: boolean): MiddlewareHandler<Environment> {
  return async (context, next) => {
    const { method, url } = context.req;
    const { host } = new URL(url);
    const origin = context.req.header("origin");
    if (isOnLoopback && isForeignName(context)) return refuseName();
    if (origin !== undefined && URL.parse(origin)?.host !== host) return json({ detail: "Cross-site request" }, 403);

    const writes = method === "POST" || method === "PATCH" || method === "PUT";
    const contentType = context.req.header("content-type") ?? "";
    if (writes && !/^application\/json\s*(;|$)/i.test(contentType)) {
      return json({ detail: "content-type must be application/json" }, 415);
    }
    return next();
  };
}

/**
 * The part of it for what needs an API key but reaches other services of this machine: keys like the default one are no
 * secret, and a page whose name resolves to loopback could call it.
 */
export function ownName(isOnLoopback: boolean): MiddlewareHandler<Environment> {
  return async (context, next) => (isOnLoopback && isForeignName(context) ? refuseName() : next());
}

/** Whether a request over the network calls this machine by a name that is none of loopback. */
export function isForeignName({ env, req }: Context<Environment>): boolean {
  return env.isOverNetwork && !isLoopbackName(new URL(req.url).hostname);
}

function refuseName(): Response {
  return json({ detail: "The emulator is not called by this name" }, 403);
}
