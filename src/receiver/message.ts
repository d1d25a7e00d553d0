import { isUtf8 } from "node:buffer";
import * as z from "zod";
import { minLength } from "../text-schema.ts";

/** A webhook as it came in. */
export interface Webhook {
  /** Given at receipt; duplicates are known by it. */
  readonly ingestId: string;
  /** ISO 8601, UTC. */
  readonly receivedAt: string;
  /** Address of the sender, as the connection tells it. */
  readonly sourceIp: string;
  readonly body: Uint8Array;
}

/**
 * The longest message, in bytes. SQS takes 1,048,576 for the body and the attributes together; there are no attributes,
 * and 1 KiB is left for what may be counted besides.
 */
export const maxMessageBytes = 1_048_576 - 1024;

const messageSchema = z.object({
  version: z.literal(1),
  ingestId: z.string().check(minLength(1)),
  receivedAt: z.string(),
  sourceIp: z.string(),
  /** How `body` stands for the bytes that came. */
  encoding: z.enum(["utf8", "base64"]),
  body: z.string(),
});

/** The text in which a webhook waits in the queue; `undefined` if it is longer than {@link maxMessageBytes}. */
export function encodeMessage({ body, ...facts }: Webhook): string | undefined {
  if (body.byteLength > maxMessageBytes) return undefined;
  const base64 = messageText({ version: 1, ...facts, encoding: "base64", body: Buffer.from(body).toString("base64") });
  const text = isUtf8(body)
    ? messageText({ version: 1, ...facts, encoding: "utf8", body: Buffer.from(body).toString("utf8") })
    : undefined;
  // Control characters take six bytes each in JSON: then base64 is the shorter.
  const message = text !== undefined && Buffer.byteLength(text) <= base64.length ? text : base64;
  return Buffer.byteLength(message) <= maxMessageBytes ? message : undefined;
}

/**
 * The webhook in a message of the queue.
 *
 * @throws Error if the message is not one of {@link encodeMessage}.
 */
export function decodeMessage(text: string): Webhook {
  const { data } = messageSchema.safeParse(parseJson(text));
  // Without the parser's own words, which quote what it was given.
  if (data === undefined) throw new Error("the message is not one that the acknowledging function has sent");
  const { encoding, body, version: _, ...facts } = data;
  return { ...facts, body: Buffer.from(body, encoding) };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** JSON without the two characters that SQS refuses and JSON does not escape. */
function messageText(message: z.infer<typeof messageSchema>): string {
  return JSON.stringify(message).replace(/[\ufffe\uffff]/g, (character) =>
    character === "\ufffe" ? "\\ufffe" : "\\uffff",
  );
}
