import { createServer, type IncomingMessage } from "node:http";
import { buffer } from "node:stream/consumers";
import { onTestFinished } from "vitest";
import { type Client, createClient } from "../../src/api/index.ts";
import type { Emulator } from "../../src/emulator/index.ts";

/** A client that reaches the emulator through a server which does something before a request is let on. */
export async function clientBehindFront(emulator: Emulator, before: (path: string) => Promise<void>): Promise<Client> {
  const server = createServer(async (incoming, outgoing) => {
    const request = await requestOf(incoming);
    await before(new URL(request.url).pathname);
    const answer = await emulator.fetch(request);
    outgoing.writeHead(answer.status, Object.fromEntries(answer.headers)).end(Buffer.from(await answer.arrayBuffer()));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  const port = typeof address === "object" ? address?.port : "";
  const client = createClient({ baseUrl: `http://127.0.0.1:${port}`, apiKey: emulator.apiKey });
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
