import * as z from "zod";
import type { JsonValue } from "../json/json-value.ts";
import { parseJson } from "../json/parse-json.ts";
import { describeHtml, isHtml, withheldMessage } from "./error-body.ts";
import { UnexpectedResponseError } from "./errors.ts";
import type { HttpResponse } from "./exchange.ts";
import { errorFacts, errorMessage } from "./failed-attempt.ts";
import type { ApiRequest } from "./request.ts";
import type { Send, Transport } from "./send.ts";
import { anyJsonValue, describeMismatch } from "./wire-schema.ts";

/** Sends a request and parses its response. Rejects with an `ApiError`: an `UnexpectedResponseError` for an invalid response. */
export interface Call {
  /** For a response whose shape is documented. */
  <Value>(request: ApiRequest, schema: z.ZodType<Value>): Promise<Value>;
  /** For a response that the specification leaves open: any JSON, or undefined for an empty body. */
  undocumented: (request: ApiRequest) => Promise<JsonValue | undefined>;
}

export function createCall(send: Send, { settings, redact }: Pick<Transport, "settings" | "redact">): Call {
  async function call<Value>(request: ApiRequest, schema: z.ZodType<Value>): Promise<Value> {
    const response = await send(request);
    const parsed = parseBody(request, response, schema);
    if ("problem" in parsed) {
      const problem = settings.secrets.hasShort(request.body) ? withheldMessage : redact(parsed.problem);
      throw unexpectedResponse(request, response, problem, settings.baseUrl);
    }
    return parsed.value;
  }

  return Object.assign(call, { undocumented: (request: ApiRequest) => call(request, jsonOrNothing) });
}

const jsonOrNothing = z.union([anyJsonValue, z.undefined()]);

type ParsedBody<Value> = { value: Value } | { problem: string };

function parseBody<Value>(request: ApiRequest, response: HttpResponse, schema: z.ZodType<Value>): ParsedBody<Value> {
  const text = decode(response.body);
  if (text === undefined) return { problem: "not UTF-8 text" };
  const contentType = response.header("content-type");
  if (isHtml(text, contentType)) return { problem: describeHtml(text) };
  const isEmpty = text.trim() === "";
  const isXml = request.acceptsXml === true && /[/+]xml\b/i.test(contentType ?? "");
  const parsed = isEmpty || isXml ? { isJson: true as const, value: isEmpty ? undefined : text } : parseJson(text);
  if (!parsed.isJson) {
    return { problem: `${parsed.problem} (${contentType ?? "no content type"}, ${response.body.length} bytes)` };
  }
  const matched = schema.safeParse(parsed.value);
  if (matched.success) return { value: matched.data };
  return { problem: isEmpty ? "an empty body" : describeMismatch(matched.error, parsed.value) };
}

/** Undefined for invalid UTF-8: a value with replacement characters would later be written back with them. */
function decode(body: Buffer): string | undefined {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(body);
  } catch {
    return undefined;
  }
}

function unexpectedResponse(request: ApiRequest, response: HttpResponse, problem: string, baseUrl: string) {
  const { method, path } = request;
  const isRead = method === "GET";
  const failed = { method, path, status: response.status, attempts: 1, mayHaveBeenApplied: !isRead };
  const next = `${isRead ? "Try again later. " : ""}Check that ${baseUrl} is the API's base URL.`;
  return new UnexpectedResponseError(
    errorMessage(failed, "an undocumented response", problem, next),
    errorFacts(failed),
  );
}
