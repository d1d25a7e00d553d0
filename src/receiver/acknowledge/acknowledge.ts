import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { describeError, type Log } from "../log.ts";
import { encodeMessage } from "../message.ts";
import type { Queue } from "../ports.ts";
import type { IsAllowedSource } from "./allowed-sources.ts";
import { hasValidToken } from "./token.ts";

/** A request to a Lambda function URL, payload format 2.0, as far as it counts here. */
export interface FunctionUrlRequest {
  readonly rawQueryString: string;
  readonly requestContext: { readonly http: { readonly method: string; readonly sourceIp: string } };
  readonly body?: string | undefined;
  readonly isBase64Encoded: boolean;
}

export interface FunctionUrlResponse {
  readonly statusCode: number;
  readonly headers?: Record<string, string>;
  readonly body: string;
}

/** What acknowledging needs. */
export interface AcknowledgePorts extends Queue {
  /** SHA-256 digests of the tokens that are valid. */
  readonly tokenDigests: readonly Uint8Array[];
  readonly isAllowedSource: IsAllowedSource;
  readonly log: Log;
  /** How long the queue may take, in seconds. Default 4; the platform's own patience is not documented. */
  readonly deadlineSeconds?: number | undefined;
}

/**
 * Answers a webhook: 200 only once the queue has it, as the platform sends each of them once (specification,
 * "Delivery"). The body is kept as it came; what it means is the consumer's business.
 *
 * - 405: not a POST.
 * - 403: no valid token in the query, or a source that is not allowed; the two look the same from outside.
 * - 413: longer than a message of the queue can be.
 * - 503: the queue does not have it, or not in time.
 *
 * Neither the token nor the body is in any log, and the query is not stored.
 */
export async function acknowledge(request: FunctionUrlRequest, ports: AcknowledgePorts): Promise<FunctionUrlResponse> {
  const { method, sourceIp } = request.requestContext.http;
  const refuse = (statusCode: number, reason: string): FunctionUrlResponse => {
    ports.log({ level: "warn", message: "webhook refused", statusCode, reason, sourceIp });
    return statusCode === 405 ? { ...empty(405), headers: { allow: "POST" } } : empty(statusCode);
  };

  if (method !== "POST") return refuse(405, "method");
  const isAllowed = ports.isAllowedSource(sourceIp);
  if (!hasValidToken(request.rawQueryString, ports.tokenDigests)) return refuse(403, "token");
  if (!isAllowed) return refuse(403, "source");

  const body = Buffer.from(request.body ?? "", request.isBase64Encoded ? "base64" : "utf8");
  const webhook = { ingestId: randomUUID(), receivedAt: new Date().toISOString(), sourceIp, body };
  const message = encodeMessage(webhook);
  if (message === undefined) return refuse(413, "size");

  const facts = { ingestId: webhook.ingestId, bytes: body.byteLength };
  try {
    await keepInTime(message, ports);
  } catch (error) {
    ports.log({ level: "error", message: "webhook not kept", ...facts, error: describeError(error) });
    return empty(503);
  }
  ports.log({ level: "info", message: "webhook kept", ...facts });
  return empty(200);
}

async function keepInTime(message: string, { keep, deadlineSeconds = 4 }: AcknowledgePorts): Promise<void> {
  const waiting = new AbortController();
  const isLate = sleep(deadlineSeconds * 1000, true, { signal: waiting.signal });
  const isKept = async () => {
    await keep(message, waiting.signal);
    return false;
  };
  try {
    if (await Promise.race([isKept(), isLate])) throw new Error(`the queue did not answer in ${deadlineSeconds} s`);
  } finally {
    waiting.abort();
  }
}

function empty(statusCode: number): FunctionUrlResponse {
  return { statusCode, body: "" };
}
