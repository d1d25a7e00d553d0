import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { describeError, type Log } from "../log.ts";
import { encodeMessage, type Queue } from "../message.ts";
import type { Metrics } from "../metrics.ts";
import type { IsAllowedSource } from "./allowed-sources.ts";
import { type FunctionUrlRequest, type RestApiRequest, readRequest } from "./request.ts";
import { matchToken, type TokenMatch } from "./token.ts";

/** The response to a request. A function URL and a REST API accept the same form. */
export interface FunctionUrlResponse {
  readonly statusCode: number;
  readonly headers?: Record<string, string>;
  readonly body: string;
}

/** What acknowledging a webhook needs. */
export interface AcknowledgePorts extends Queue {
  /** SHA-256 digests of the valid tokens, the newest first. */
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
 * Each request has one log entry. Neither the token nor the body is logged, and the query is not stored.
 *
 * @throws Error if the event has neither format of a request.
 */
export async function acknowledge(
  event: FunctionUrlRequest | RestApiRequest,
  ports: AcknowledgePorts,
): Promise<FunctionUrlResponse> {
  const { method, sourceIp, tokens, body } = readRequest(event);
  const token = matchToken(tokens, ports.tokenDigests);
  const isValid = token === "newest" || token === "older";
  const isAllowed = ports.isAllowedSource(sourceIp);
  const reject = (statusCode: number, reason: string): FunctionUrlResponse => {
    // With a valid token the request is an event of the platform, which sends it only once: it is lost.
    const level = isValid ? "error" : "warn";
    const metrics = rejectionMetrics(token, isAllowed);
    ports.log({ level, message: "webhook rejected", statusCode, reason, token, sourceIp, metrics });
    return statusCode === 405 ? { ...empty(405), headers: { allow: "POST" } } : empty(statusCode);
  };

  if (method !== "POST") return reject(405, "method");
  if (!isAllowed) return reject(403, "source");
  if (!isValid) return reject(403, "token");

  const webhook = { ingestId: randomUUID(), receivedAt: new Date().toISOString(), sourceIp, body };
  const message = encodeMessage(webhook);
  if (message === undefined) return reject(413, "size");

  const facts = { ingestId: webhook.ingestId, bytes: body.byteLength, token, sourceIp };
  try {
    await enqueueInTime(message, ports);
  } catch (error) {
    const metrics = { WebhooksNotEnqueued: 1 };
    ports.log({ level: "error", message: "webhook not enqueued", ...facts, error: describeError(error), metrics });
    return empty(503);
  }
  const isRotation = ports.tokenDigests.length > 1;
  const olderToken = isRotation ? { WebhooksWithOlderToken: token === "older" ? 1 : 0 } : {};
  ports.log({ level: "info", message: "webhook enqueued", ...facts, metrics: { WebhooksEnqueued: 1, ...olderToken } });
  return empty(200);
}

/** Strangers do not count, as every public address gets their requests: no token, or a wrong one from a source of theirs. */
function rejectionMetrics(token: TokenMatch, isAllowed: boolean): Metrics | undefined {
  if (token === "none" || (token === "wrong" && !isAllowed)) return undefined;
  return token === "wrong" ? { WrongTokens: 1 } : { WebhooksRejected: 1 };
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
