import { ServerResponse } from "node:http";
import { setTimeout as wait } from "node:timers/promises";
import type { Http2Bindings, HttpBindings } from "@hono/node-server";
import { RESPONSE_ALREADY_SENT } from "@hono/node-server/utils/response";

/** The connection of a request. A request to `emulator.fetch` has none. */
export type Connection = HttpBindings | Http2Bindings;

/** Closes the connection without a response. Without a connection, throws what `fetch` would throw. */
export function closeConnection(connection: Connection | undefined): Response {
  if (!connection) throw closedError();
  connection.incoming.socket.destroy();
  return RESPONSE_ALREADY_SENT;
}

/** Sends the headers and half of the body of a response, then closes the connection. */
export async function closeInMiddle(connection: Connection | undefined, response: Response): Promise<Response> {
  const body = Buffer.from(await response.arrayBuffer());
  const half = body.subarray(0, Math.ceil(body.length / 2));
  const outgoing = connection?.outgoing;
  if (!(outgoing instanceof ServerResponse)) return new Response(failingStream(half), response);

  // A content-length above the true length makes the client notice the end of an empty body too.
  outgoing.writeHead(response.status, {
    ...Object.fromEntries(response.headers),
    "content-length": String(body.length + 2),
  });
  outgoing.write(half.length > 0 ? half : " ", () => outgoing.socket?.destroy());
  return RESPONSE_ALREADY_SENT;
}

function failingStream(start: Uint8Array): ReadableStream<Uint8Array> {
  return new ReadableStream({
    start: (controller) => controller.enqueue(start),
    pull: (controller) => controller.error(closedError()),
  });
}

function closedError(): TypeError {
  return new TypeError("fetch failed", { cause: new Error("a fault closed the connection") });
}

/** Sends the body of a response in pieces. The last piece comes `ms` milliseconds after the headers. */
export async function sendSlowly(response: Response, ms: number, closing: AbortSignal): Promise<Response> {
  const body = new Uint8Array(await response.arrayBuffer());
  const size = Math.max(1, Math.ceil(body.length / pieces));
  const pauseMilliseconds = (ms * size) / Math.max(1, body.length);
  let sent = 0;
  const slowly = new ReadableStream<Uint8Array>({
    pull: async (controller) => {
      const isClosing = await wait(pauseMilliseconds, false, { signal: closing }).catch(() => true);
      if (isClosing) return controller.close(); // the server closes all connections anyway
      controller.enqueue(body.subarray(sent, sent + size));
      sent += size;
      if (sent >= body.length) controller.close();
    },
  });
  return new Response(body.length === 0 ? null : slowly, response);
}

const pieces = 10;
