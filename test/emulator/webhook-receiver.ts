import { createServer, type ServerResponse } from "node:http";
import { json } from "node:stream/consumers";
import { onTestFinished } from "vitest";

/** A received webhook. */
export interface ReceivedWebhook {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly payload: unknown;
}

/** A receiver of webhooks, closed when the test is over. */
export interface Receiver {
  readonly url: string;
  /** The received webhooks, oldest first. */
  readonly received: readonly ReceivedWebhook[];
}

/** @param answer sends the response. Default: 200. */
export async function startReceiver(
  answer: (response: ServerResponse, number: number) => unknown = (response) => response.end("thanks"),
): Promise<Receiver> {
  const received: ReceivedWebhook[] = [];
  const server = createServer(async (request, response) => {
    const { method = "", url = "", headers } = request;
    received.push({ method, url, headers, payload: await json(request) });
    answer(response, received.length);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const address = server.address();
  return { url: `http://127.0.0.1:${typeof address === "object" ? address?.port : ""}/hook?token=t0ken`, received };
}
