import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { describeError, type Log } from "../log.ts";
import { encodeMessage, type Queue } from "../message.ts";
import type { IsAllowedSource } from "./allowed-sources.ts";
import { hasValidToken } from "./token.ts";

/** The part of a request to a Lambda function URL (payload format 2.0) that the function reads. */
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

/** What acknowledging a webhook needs. */
export interface AcknowledgePorts extends Queue {
  /** SHA-256 digests of the valid tokens. */
  readonly tokenDigests: readonly Uint8Array[];
  readonly isAllowedSource: IsAllowedSource;
  readonly log: Log;
  /** How long the queue may take, in seconds. Default 4: the platform's own timeout is not documented. */
  readonly deadlineSeconds?: number | undefined;
}

/**
 * Answers a webhook with 200 once the queue has stored it: the platform sends each webhook only once (specification,
 * "Delivery"). The body is stored unread. The consumer parses it.
 *
 * - 405: the method is not POST.
 * - 403: the query has no valid token, or the source is not allowed. Both responses are identical.
 * - 413: the webhook does not fit into a message of the queue.
 * - 503: the queue did not store the webhook in time.
 *
 * Neither the token nor the body is logged, and the query is not stored.
 */
export async function acknowledge(request: FunctionUrlRequest, ports: AcknowledgePorts): Promise<FunctionUrlResponse> {
  const { method, sourceIp } = request.requestContext.http;
  const reject = (statusCode: number, reason: string): FunctionUrlResponse => {
    ports.log({ level: "warn", message: "webhook rejected", statusCode, reason, sourceIp });
    return statusCode === 405 ? { ...empty(405), headers: { allow: "POST" } } : empty(statusCode);
  };

  if (method !== "POST") return reject(405, "method");
  const isAllowed = ports.isAllowedSource(sourceIp);
  if (!hasValidToken(request.rawQueryString, ports.tokenDigests)) return reject(403, "token");
  if (!isAllowed) return reject(403, "source");

  const body = Buffer.from(request.body ?? "", request.isBase64Encoded ? "base64" : "utf8");
  const webhook = { ingestId: randomUUID(), receivedAt: new Date().toISOString(), sourceIp, body };
  const message = encodeMessage(webhook);
  if (message === undefined) return reject(413, "size");

  const facts = { ingestId: webhook.ingestId, bytes: body.byteLength };
  try {
    await enqueueInTime(message, ports);
  } catch (error) {
    ports.log({ level: "error", message: "webhook not enqueued", ...facts, error: describeError(error) });
    return empty(503);
  }
  ports.log({ level: "info", message: "webhook enqueued", ...facts });
  return empty(200);
}

async function enqueueInTime(message: string, { enqueue, deadlineSeconds = 4 }: AcknowledgePorts): Promise<void> {
  const waiting = new AbortController();
  const deadline = sleep(deadlineSeconds * 1000, { isLate: true }, { signal: waiting.signal });
  const enqueued = async () => {
    await enqueue(message, waiting.signal);
    return { isLate: false };
  };
  try {
    const { isLate } = await Promise.race([enqueued(), deadline]);
    if (isLate) throw new Error(`the queue did not answer within ${deadlineSeconds} seconds`);
  } finally {
    waiting.abort();
  }
}

function empty(statusCode: number): FunctionUrlResponse {
  return { statusCode, body: "" };
}
