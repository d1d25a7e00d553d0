import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { serverLimits } from "../../server/http-server.ts";
import type { FunctionUrlResponse } from "../acknowledge/acknowledge.ts";
import type { FunctionUrlRequest } from "../acknowledge/request.ts";
import { maxMessageBytes } from "../message.ts";

/** Handles a request as the function behind a Lambda function URL does. */
export type FunctionUrlHandler = (request: FunctionUrlRequest) => Promise<FunctionUrlResponse>;

const maxConnections = 500;

/**
 * Serves a handler on 127.0.0.1, as a Lambda function URL would.
 *
 * @param port 0 picks a free one.
 * @throws Error if the port is in use.
 */
export async function listen(
  handle: FunctionUrlHandler,
  port: number,
): Promise<{ readonly port: number; close(): Promise<void> }> {
  const server = createServer(serverLimits, (request, response) => {
    respond(request, response, handle).catch(() => response.destroy());
  });
  server.maxConnections = maxConnections;
  await new Promise<void>((resolve, reject) => {
    server.once("error", (cause) => {
      reject(new Error(`the receiver cannot listen on 127.0.0.1:${port}: ${cause.message}`, { cause }));
    });
    server.listen(port, "127.0.0.1", resolve);
  });
  return { port: portOf(server), close: () => closeGracefully(server) };
}

async function respond(request: IncomingMessage, response: ServerResponse, handle: FunctionUrlHandler): Promise<void> {
  const requestBody = request.method === "POST" ? await readBody(request) : Buffer.alloc(0);
  const { statusCode, headers, body } = await handle({
    rawQueryString: /\?(.*)$/s.exec(request.url ?? "")?.[1] ?? "",
    requestContext: { http: { method: request.method ?? "", sourceIp: request.socket.remoteAddress ?? "" } },
    body: requestBody.toString("base64"),
    isBase64Encoded: true,
  });
  response.writeHead(statusCode, headers).end(body);
}

/** Reads the whole body, but keeps no more of it than the handler needs to see that it is too long. */
async function readBody(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request) {
    if (bytes <= maxMessageBytes) chunks.push(chunk);
    bytes += chunk.length;
  }
  return Buffer.concat(chunks);
}

/** Finishes the open requests and accepts no new ones. Enforces the request timeout, as a closing server does not. */
async function closeGracefully(server: Server): Promise<void> {
  const timeout = setTimeout(() => server.closeAllConnections(), serverLimits.requestTimeout);
  try {
    await new Promise<void>((resolve, reject) => {
      server.close((error) => (error ? reject(error) : resolve()));
    });
  } finally {
    clearTimeout(timeout);
  }
}

function portOf(server: Server): number {
  const address = server.address();
  return typeof address === "object" && address !== null ? address.port : 0;
}
