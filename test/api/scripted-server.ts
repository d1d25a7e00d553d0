import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { type Client, type ClientOptions, createClient } from "../../src/api/index.ts";

export const apiKey = "key-5up3r&s3cret";

/** A plain HTTP server that answers as the test says, and a client of it. */
export interface ScriptedServer extends AsyncDisposable {
  url: string;
  /** What came in, oldest first. */
  requests: ReceivedRequest[];
  client: Client;
}

export interface ReceivedRequest {
  method: string;
  /** With the query. */
  url: string;
  headers: IncomingMessage["headers"];
  body: string;
}

/** Answers one request; `number` counts from 1. */
export type Script = (request: ReceivedRequest, response: ServerResponse, number: number) => void;

/** Starts a server on a free port; the client retries without noticeable pauses. */
export async function startServer(script: Script, options: Partial<ClientOptions> = {}): Promise<ScriptedServer> {
  const requests: ReceivedRequest[] = [];
  const server = createServer(async (incoming, response) => {
    const received = { ...(await receive(incoming)) };
    requests.push(received);
    script(received, response, requests.length);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  const port = typeof address === "object" ? address?.port : undefined;
  const url = `http://127.0.0.1:${port}`;
  const client = createClient({ baseUrl: url, apiKey, backoffSeconds: { first: 0.001, max: 0.002 }, ...options });
  return {
    url,
    requests,
    client,
    async [Symbol.asyncDispose]() {
      await client.close();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

export function answerJson(response: ServerResponse, status: number, body: unknown, headers = {}) {
  response.writeHead(status, { "content-type": "application/json", ...headers }).end(JSON.stringify(body));
}

export function answerText(response: ServerResponse, status: number, body: string, headers = {}) {
  response.writeHead(status, { "content-type": "text/plain", ...headers }).end(body);
}

/** What a promise was rejected with. */
export async function failureOf(promise: Promise<unknown>): Promise<unknown> {
  return promise.then(
    () => {
      throw new Error("it succeeded");
    },
    (error: unknown) => error,
  );
}

/** The message of what a promise was rejected with. */
export async function messageOf(promise: Promise<unknown>): Promise<string> {
  const error = await failureOf(promise);
  return error instanceof Error ? error.message : "";
}

async function receive(incoming: IncomingMessage): Promise<ReceivedRequest> {
  const chunks: Buffer[] = [];
  for await (const chunk of incoming) {
    chunks.push(chunk);
  }
  const { method = "", url = "", headers } = incoming;
  return { method, url, headers, body: Buffer.concat(chunks).toString() };
}
