import { ServerResponse } from "node:http";
import type { Http2Bindings, HttpBindings } from "@hono/node-server";
import { RESPONSE_ALREADY_SENT } from "@hono/node-server/utils/response";

/** The request's own connection; requests that come through `fetch` have none. */
export type Connection = HttpBindings | Http2Bindings;

/** Cuts the connection without an answer. Without a connection, fails as `fetch` does when that happens. */
export function cutConnection(connection: Connection | undefined): Response {
  if (!connection) throw cutError();
  connection.incoming.socket.destroy();
  return RESPONSE_ALREADY_SENT;
}

/** Sends the head of an answer that promises all of it and half of its body, then cuts the connection. */
export async function cutInMiddle(connection: Connection | undefined, answer: Response): Promise<Response> {
  const body = Buffer.from(await answer.arrayBuffer());
  const half = body.subarray(0, Math.ceil(body.length / 2));
  const outgoing = connection?.outgoing;
  if (!(outgoing instanceof ServerResponse)) return new Response(failingStream(half), answer);

  // Promises more than there is, so that an empty answer is cut short too.
  outgoing.writeHead(answer.status, {
    ...Object.fromEntries(answer.headers),
    "content-length": String(body.length + 2),
  });
  outgoing.write(half.length > 0 ? half : " ", () => outgoing.socket?.destroy());
  return RESPONSE_ALREADY_SENT;
}

function failingStream(start: Uint8Array): ReadableStream<Uint8Array> {
  return new ReadableStream({
    start: (controller) => controller.enqueue(start),
    pull: (controller) => controller.error(cutError()),
  });
}

function cutError(): TypeError {
  return new TypeError("fetch failed", { cause: new Error("the connection was cut by a fault") });
}
