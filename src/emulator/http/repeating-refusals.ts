import type { MiddlewareHandler } from "hono";
import { isJsonObject } from "../entities/json.ts";
import type { Platform } from "../platform.ts";
import { json } from "./answers.ts";
import type { Environment } from "./environment.ts";

/** Adds what was sent to the texts of a 422, in the form that the variant `refusals` names. */
export function repeatingRefusals(platform: Platform): MiddlewareHandler<Environment> {
  return async (context, next) => {
    await next();
    const { refusals } = platform.variants;
    if (context.res.status !== 422 || refusals === "plain" || context.env.bodyText === "") return;

    const sent = parsed(context.env.bodyText);
    const suffix = `; the request was ${forms[refusals](sent)}`;
    const answer: unknown = await context.res.json();
    context.res = undefined; // else its headers, the length among them, are taken over
    context.res = json(withSuffix(answer, suffix, sent), 422);
  };
}

const forms = {
  repeat: (sent: unknown) => leavesOf(sent).join(", "),
  "repeat-json": (sent: unknown) => JSON.stringify(sent),
  "repeat-url": (sent: unknown) => leavesOf(sent).map(encodeURIComponent).join("&"),
};

function withSuffix(answer: unknown, suffix: string, sent: unknown): unknown {
  if (!isJsonObject(answer)) return answer;
  const { message, detail } = answer;
  if (typeof message === "string") return { ...answer, message: message + suffix };
  if (!Array.isArray(detail)) return answer;
  return { detail: detail.map((one) => ({ ...Object(one), msg: Object(one).msg + suffix, input: sent })) };
}

function leavesOf(value: unknown): string[] {
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(leavesOf) : [String(value)];
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
