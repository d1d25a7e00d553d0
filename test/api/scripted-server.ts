import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { type Client, type ClientOptions, createClient } from "../../src/api/index.ts";
import { failureOf } from "../failure-of.ts";
import { listen } from "../listen.ts";

export const apiKey = "key-5up3r&s3cret";

/** An HTTP server whose responses the test defines, and a client for it. */
export interface ScriptedServer extends AsyncDisposable {
  url: string;
  /** The received requests, oldest first. */
  requests: ReceivedRequest[];
  client: Client;
}

export interface ReceivedRequest {
  method: string;
  /** Path and query. */
  url: string;
  headers: IncomingMessage["headers"];
  body: string;
}

/** Responds to one request; `number` counts from 1. */
export type Script = (request: ReceivedRequest, response: ServerResponse, number: number) => void;

/** Starts a server on a free port; the client retries without noticeable pauses. */
export async function startServer(script: Script, options: Partial<ClientOptions> = {}): Promise<ScriptedServer> {
  const requests: ReceivedRequest[] = [];
  const server = createServer(async (incoming, response) => {
    const received = { ...(await receive(incoming)) };
    requests.push(received);
    script(received, response, requests.length);
  });
  const url = await listen(server);
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

export function respondJson(response: ServerResponse, status: number, body: unknown, headers = {}) {
  response.writeHead(status, { "content-type": "application/json", ...headers }).end(JSON.stringify(body));
}

export function respondText(response: ServerResponse, status: number, body: string, headers = {}) {
  response.writeHead(status, { "content-type": "text/plain", ...headers }).end(body);
}

/** The message of the error that a promise rejects with. */
export async function messageOf(promise: Promise<unknown>): Promise<string> {
  return (await failureOf(promise)).message;
}

async function receive(incoming: IncomingMessage): Promise<ReceivedRequest> {
  const chunks: Buffer[] = [];
  for await (const chunk of incoming) {
    chunks.push(chunk);
  }
  const { method = "", url = "", headers } = incoming;
  return { method, url, headers, body: Buffer.concat(chunks).toString() };
}
