import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { parseEvent } from "../events/parse-event.ts";
import { type Ledger, recordOf } from "../ledger/ledger.ts";
import { describeError, type Log } from "../log.ts";
import { encodeMessage, type Queue, type Webhook } from "../message.ts";
import type { IsAllowedSource } from "./allowed-sources.ts";
import { type FunctionUrlRequest, type RestApiRequest, readRequest } from "./request.ts";
import { matchToken } from "./token.ts";

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
  /** Stores a webhook that the queue did not store. */
  readonly putUnqueued: Ledger["putUnqueued"];
  readonly log: Log;
  /** How long the queue may take, in seconds, and then the ledger. Default 4: the platform's own timeout is not documented. */
  readonly deadlineSeconds?: number | undefined;
}

/**
 * Answers a webhook with 200 once the queue has stored it, or if the queue fails the ledger: the platform sends each webhook only
 * once (specification, "Delivery"). The body is stored unread. The consumer parses it.
 *
 * - 405: the method is not POST.
 * - 403: the query has no valid token, or the source is not allowed. Both responses are identical.
 * - 413: the webhook does not fit into a message of the queue.
 * - 503: neither stored the webhook in time. Then the log has its body.
 *
 * Each request has one log entry. The token is not logged, and the query is not stored.
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
    // The address may have been entered without its token, so the form decides, and not the token.
    const form = method === "POST" && parseEvent(body).eventType !== undefined ? "event" : "other";
    const counted = isValid ? { WebhooksRejected: 1 } : form === "event" ? { RefusedEvents: 1 } : {};
    const metrics = { RequestsRefused: 1, ...counted };
    ports.log({ level, message: "webhook rejected", statusCode, reason, token, form, sourceIp, metrics });
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
    await inTime("queue", (signal) => ports.enqueue(message, signal), ports);
  } catch (error) {
    return storeUnqueued(webhook, { ...facts, error: describeError(error) }, ports);
  }
  const isRotation = ports.tokenDigests.length > 1;
  const olderToken = isRotation ? { WebhooksWithOlderToken: token === "older" ? 1 : 0 } : {};
  ports.log({ level: "info", message: "webhook enqueued", ...facts, metrics: { WebhooksEnqueued: 1, ...olderToken } });
  return empty(200);
}

/** The ledger takes the place of the queue, and the log that of the ledger: the platform does not send the webhook again. */
async function storeUnqueued(webhook: Webhook, facts: object, ports: AcknowledgePorts): Promise<FunctionUrlResponse> {
  try {
    await inTime("ledger", () => ports.putUnqueued(recordOf(webhook, parseEvent(webhook.body))), ports);
  } catch (error) {
    const entry = {
      level: "error",
      message: "webhook not stored",
      ...facts,
      ledgerError: describeError(error),
    } as const;
    const body = Buffer.from(webhook.body).toString("base64");
    const parts = Math.max(1, Math.ceil(body.length / maxLoggedCharacters));
    for (let part = 0; part < parts; part++) {
      const metrics = part === 0 ? { WebhooksNotStored: 1 } : undefined;
      const start = part * maxLoggedCharacters;
      ports.log({ ...entry, part, parts, body: body.slice(start, start + maxLoggedCharacters), metrics });
    }
    return empty(503);
  }
  ports.log({ level: "warn", message: "webhook not queued", ...facts, metrics: { WebhooksNotQueued: 1 } });
  return empty(200);
}

/** An entry of CloudWatch Logs holds at least 256 KB. */
const maxLoggedCharacters = 200_000;

async function inTime(
  where: string,
  store: (signal: AbortSignal) => Promise<void>,
  { deadlineSeconds = 4 }: AcknowledgePorts,
): Promise<void> {
  const waiting = new AbortController();
  const deadline = sleep(deadlineSeconds * 1000, { isLate: true }, { signal: waiting.signal });
  const stored = async () => {
    await store(waiting.signal);
    return { isLate: false };
  };
  try {
    const { isLate } = await Promise.race([stored(), deadline]);
    if (isLate) throw new Error(`the ${where} did not answer within ${deadlineSeconds} seconds`);
  } finally {
    waiting.abort();
  }
}

function empty(statusCode: number): FunctionUrlResponse {
  return { statusCode, body: "" };
}
