import { createServer, type IncomingMessage } from "node:http";
import { buffer } from "node:stream/consumers";
import { onTestFinished } from "vitest";
import { type Client, createClient } from "../../src/api/index.ts";
import type { Emulator } from "../../src/emulator/index.ts";
import { listen } from "../listen.ts";

/** A client that reaches the emulator through a proxy, which calls `before` and then forwards the request. */
export async function clientBehindProxy(emulator: Emulator, before: (path: string) => Promise<void>): Promise<Client> {
  const server = createServer(async (incoming, outgoing) => {
    const request = await requestOf(incoming);
    await before(new URL(request.url).pathname);
    const response = await emulator.fetch(request);
    outgoing
      .writeHead(response.status, Object.fromEntries(response.headers))
      .end(Buffer.from(await response.arrayBuffer()));
  });
  const client = createClient({ baseUrl: await listen(server), apiKey: emulator.apiKey });
  onTestFinished(async () => {
    await client.close();
    server.closeAllConnections();
    server.close();
  });
  return client;
}

async function requestOf(incoming: IncomingMessage): Promise<Request> {
  const { method = "GET", url = "/", headers } = incoming;
  const body = await buffer(incoming);
  const key = headers["x-api-key"];
  return new Request(`http://${headers.host}${url}`, {
    method,
    headers: typeof key === "string" ? { "x-api-key": key } : {},
    ...(body.length > 0 ? { body } : {}),
  });
}
