import type { MiddlewareHandler } from "hono";
import type { Platform } from "../platform.ts";
import { isExactNumber, isJsonObject } from "../rules/json.ts";
import type { Environment } from "./environment.ts";
import { readableBody } from "./request-body.ts";
import { json } from "./responses.ts";

/** Adds the request's body to the messages of a 422, in the form that the variant `refusals` selects. */
export function echoRefusals(platform: Platform): MiddlewareHandler<Environment> {
  return async (context, next) => {
    await next();
    const { refusals } = platform.variants;
    if (context.res.status !== 422 || refusals === "plain" || context.env.bodyText === "") return;

    const sent = readableBody(context.env.bodyText);
    const suffix = `; the request was ${echoForms[refusals](sent)}`;
    const answer: unknown = await context.res.json();
    context.res = undefined; // hono would copy the headers of the old response, its content-length among them
    context.res = json(withSuffix(answer, suffix, sent), 422);
  };
}

const echoForms = {
  repeat: (sent: unknown) => leafValues(sent).join(", "),
  "repeat-json": (sent: unknown) => JSON.stringify(sent),
  "repeat-url": (sent: unknown) =>
    leafValues(sent)
      .map((text) => encodeURIComponent(text.toWellFormed()))
      .join("&"),
};

function withSuffix(answer: unknown, suffix: string, sent: unknown): unknown {
  if (!isJsonObject(answer)) return answer;
  const { message, detail } = answer;
  if (typeof message === "string") return { ...answer, message: message + suffix };
  if (!Array.isArray(detail)) return answer;
  return { detail: detail.map((one) => ({ ...Object(one), msg: Object(one).msg + suffix, input: sent })) };
}

function leafValues(value: unknown): string[] {
  if (isExactNumber(value)) return [value.rawJSON];
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(leafValues) : [String(value)];
}
