import { RESPONSE_ALREADY_SENT } from "@hono/node-server/utils/response";
import type { Platform } from "../platform.ts";

/** Adds the header `Date` with the time of the emulator's clock, unless a fault set one; see the variant `dateHeader`. */
export function addDate({ clock, variants }: Platform, response: Response): Response {
  const isSent = response === RESPONSE_ALREADY_SENT;
  if (variants.dateHeader === "absent" || isSent || response.headers.has("date")) return response;
  response.headers.set("date", new Date(clock.now()).toUTCString());
  return response;
}
