import { isUtf8 } from "node:buffer";
import * as z from "zod";
import { minLength } from "../inputs/string-schema.ts";
import { jsonIn } from "../json/parse-json.ts";

/** The queue between the acknowledging function and the consumer. */
export interface Queue {
  /** Resolves once the queue has stored the message durably. `signal` aborts when the caller stops waiting. */
  enqueue(message: string, signal: AbortSignal): Promise<void>;
}

/** A webhook as it arrived. */
export interface Webhook {
  /** Assigned on arrival. Two deliveries with the same ingest id are the same event. */
  readonly ingestId: string;
  /** ISO 8601, UTC. */
  readonly receivedAt: string;
  /** The sender's address, taken from the connection. */
  readonly sourceIp: string;
  readonly body: Uint8Array;
}

/**
 * The maximum length of a message in bytes. SQS accepts 1,048,576 bytes for the body and the attributes together. The
 * receiver sends no attributes; 1 KiB stays free as a reserve.
 */
export const maxMessageBytes = 1_048_576 - 1024;

const messageSchema = z.object({
  version: z.literal(1),
  ingestId: z.string().check(minLength(1)),
  receivedAt: z.string(),
  sourceIp: z.string(),
  /** How `body` encodes the bytes of the webhook. */
  encoding: z.enum(["utf8", "base64"]),
  body: z.string(),
});

/** Encodes a webhook as a message of the queue. Returns `undefined` if it exceeds {@link maxMessageBytes}. */
export function encodeMessage({ body, ...facts }: Webhook): string | undefined {
  if (body.byteLength > maxMessageBytes) return undefined;
  const base64 = stringify({ version: 1, ...facts, encoding: "base64", body: Buffer.from(body).toString("base64") });
  const utf8 = isUtf8(body)
    ? stringify({ version: 1, ...facts, encoding: "utf8", body: Buffer.from(body).toString("utf8") })
    : undefined;
  // JSON needs six bytes for a control character: a body with many of them is shorter in base64.
  const message = utf8 !== undefined && Buffer.byteLength(utf8) <= base64.length ? utf8 : base64;
  return Buffer.byteLength(message) <= maxMessageBytes ? message : undefined;
}

/**
 * Decodes the webhook in a message of the queue.
 *
 * @throws Error if {@link encodeMessage} did not write the message.
 */
export function decodeMessage(message: string): Webhook {
  const { data } = messageSchema.safeParse(jsonIn(message));
  // The parser's own error would quote the message, which may hold confidential data.
  if (data === undefined) {
    throw new Error("the acknowledging function did not write this message: its format is unknown");
  }
  const { encoding, body, version: _, ...facts } = data;
  return { ...facts, body: Buffer.from(body, encoding) };
}

/** Also escapes U+FFFE and U+FFFF, which SQS rejects and JSON.stringify leaves as they are. */
function stringify(message: z.infer<typeof messageSchema>): string {
  return JSON.stringify(message).replace(/[\ufffe\uffff]/g, (character) =>
    character === "\ufffe" ? "\\ufffe" : "\\uffff",
  );
}
