import type { MiddlewareHandler } from "hono";
import { isValidKey } from "../operations/api-keys.ts";
import type { Platform } from "../platform.ts";
import { json } from "./answers.ts";

/**
 * Refuses requests without a valid API key in the header `x-api-key` (specification, "Authentication"). The status is
 * not documented: see the variant `unauthorized`.
 */
export function authentication(platform: Platform): MiddlewareHandler {
  return async (context, next) => {
    const given = context.req.header("x-api-key");
    if (given !== undefined && isValidKey(platform, given)) return next();
    return json({ detail: "Not authorized" }, Number(platform.variants.unauthorized));
  };
}
