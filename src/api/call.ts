import { z } from "zod";
import { describeHtml, isHtml } from "./error-body.ts";
import { UnexpectedResponseError } from "./errors.ts";
import type { HttpResponse } from "./exchange.ts";
import { factsOf, messageOf } from "./failure.ts";
import { type JsonValue, parseJson } from "./json.ts";
import type { ApiRequest } from "./request.ts";
import type { Send, Sender } from "./send.ts";
import { anyJsonValue, describeMismatch } from "./wire-schema.ts";
import { withheldWords } from "./withheld-words.ts";

/** Sends a request and reads its answer. Rejects with an `ApiError`; with `UnexpectedResponseError` when it is not what is documented. */
export interface Call {
  /** An answer whose shape is documented. */
  <Value>(request: ApiRequest, schema: z.ZodType<Value>): Promise<Value>;
  /** An answer that the specification leaves open: any JSON, or an empty body (undefined). */
  loosely: (request: ApiRequest) => Promise<JsonValue | undefined>;
}

export function createCall(send: Send, { settings, redact }: Pick<Sender, "settings" | "redact">): Call {
  async function call<Value>(request: ApiRequest, schema: z.ZodType<Value>): Promise<Value> {
    const response = await send(request);
    const read = readBody(request, response, schema);
    if ("problem" in read) {
      const problem = settings.secrets.hasShort(request.body) ? withheldWords : redact(read.problem);
      throw unexpected(request, response, problem, settings.baseUrl);
    }
    return read.value;
  }

  return Object.assign(call, { loosely: (request: ApiRequest) => call(request, jsonOrNothing) });
}

const jsonOrNothing = z.union([anyJsonValue, z.undefined()]);

type ReadBody<Value> = { value: Value } | { problem: string };

function readBody<Value>(request: ApiRequest, response: HttpResponse, schema: z.ZodType<Value>): ReadBody<Value> {
  const text = decode(response.body);
  if (text === undefined) {
    return { problem: "not UTF-8 text" };
  }
  const contentType = response.header("content-type");
  if (isHtml(text, contentType)) {
    return { problem: describeHtml(text) };
  }
  const isEmpty = text.trim() === "";
  const isXml = request.mayAnswerXml === true && /[/+]xml\b/i.test(contentType ?? "");
  const parsed = isEmpty || isXml ? { isJson: true as const, value: isEmpty ? undefined : text } : parseJson(text);
  if (!parsed.isJson) {
    return { problem: `${parsed.problem} (${contentType ?? "no content type"}, ${response.body.length} bytes)` };
  }
  const matched = schema.safeParse(parsed.value);
  if (matched.success) {
    return { value: matched.data };
  }
  return { problem: isEmpty ? "an empty body" : describeMismatch(matched.error, parsed.value) };
}

/** Strictly: a value with replacement characters in it would be written back as such. */
function decode(body: Buffer): string | undefined {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(body);
  } catch {
    return undefined;
  }
}

function unexpected(request: ApiRequest, response: HttpResponse, problem: string, baseUrl: string) {
  const failure = {
    method: request.method,
    path: request.path,
    status: response.status,
    attempts: 1,
    mayHaveBeenApplied: request.method !== "GET",
  };
  const next = `${request.method === "GET" ? "Try again later. " : ""}Is ${baseUrl} the API's base address?`;
  return new UnexpectedResponseError(
    messageOf(failure, "an answer that is not documented", problem, next),
    factsOf(failure),
  );
}
