import { createHash, timingSafeEqual } from "node:crypto";
import type { MiddlewareHandler } from "hono";
import type { Platform } from "../platform.ts";
import { json } from "./answers.ts";

/**
 * Refuses requests without a valid API key in the header `x-api-key` (specification, "Authentication"). The status is
 * not documented: see the variant `unauthorized`.
 */
export function authentication(platform: Platform, apiKey: string): MiddlewareHandler {
  return async (context, next) => {
    const given = context.req.header("x-api-key");
    if (given !== undefined && isSame(given, apiKey)) return next();
    return json({ detail: "Not authorized" }, Number(platform.variants.unauthorized));
  };
}

function isSame(given: string, expected: string): boolean {
  return timingSafeEqual(digest(given), digest(expected));
}

function digest(text: string): Buffer {
  return createHash("sha256").update(text).digest();
}
