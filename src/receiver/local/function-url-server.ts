import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { senderLimits } from "../../sender-limits.ts";
import type { FunctionUrlRequest, FunctionUrlResponse } from "../acknowledge/acknowledge.ts";
import { maxMessageBytes } from "../message.ts";

/** Answers what a Lambda function URL would hand to its function. */
export type FunctionUrlHandler = (request: FunctionUrlRequest) => Promise<FunctionUrlResponse>;

const maxConnections = 500;

/**
 * Listens on loopback.
 *
 * @param port 0 takes any free one.
 * @throws Error when the port is taken.
 */
export async function listen(
  handle: FunctionUrlHandler,
  port: number,
): Promise<{ readonly port: number; close(): Promise<void> }> {
  const server = createServer(senderLimits, (request, response) => {
    answer(request, response, handle).catch(() => response.destroy());
  });
  server.maxConnections = maxConnections;
  await new Promise<void>((resolve, reject) => {
    server.once("error", (cause) => {
      reject(new Error(`the receiver cannot listen on 127.0.0.1:${port}: ${cause.message}`, { cause }));
    });
    server.listen(port, "127.0.0.1", resolve);
  });
  return { port: portOf(server), close: () => closeGently(server) };
}

async function answer(request: IncomingMessage, response: ServerResponse, handle: FunctionUrlHandler): Promise<void> {
  const body = request.method === "POST" ? await readBody(request) : Buffer.alloc(0);
  const {
    statusCode,
    headers,
    body: text,
  } = await handle({
    rawQueryString: /\?(.*)$/s.exec(request.url ?? "")?.[1] ?? "",
    requestContext: { http: { method: request.method ?? "", sourceIp: request.socket.remoteAddress ?? "" } },
    body: body.toString("base64"),
    isBase64Encoded: true,
  });
  response.writeHead(statusCode, headers).end(text);
}

/** The body; of one that is too long to be kept, so much that this can be told. */
async function readBody(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request) {
    if (bytes <= maxMessageBytes) chunks.push(chunk);
    bytes += chunk.length;
  }
  return Buffer.concat(chunks);
}

/** Answers what has come in, and takes nothing more. A server that closes no longer looks at its own time limits. */
async function closeGently(server: Server): Promise<void> {
  const cut = setTimeout(() => server.closeAllConnections(), senderLimits.requestTimeout);
  try {
    await new Promise<void>((resolve, reject) => {
      server.close((error) => (error ? reject(error) : resolve()));
    });
  } finally {
    clearTimeout(cut);
  }
}

function portOf(server: Server): number {
  const address = server.address();
  return typeof address === "object" && address !== null ? address.port : 0;
}
