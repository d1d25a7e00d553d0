import { createServer, type IncomingMessage } from "node:http";
import { serverLimits, startListening } from "../../server/http-server.ts";
import type { FunctionUrlResponse } from "../acknowledge/acknowledge.ts";
import type { FunctionUrlRequest } from "../acknowledge/request.ts";
import { maxMessageBytes } from "../message.ts";

/** Handles a request as the function behind a Lambda function URL does. */
export type FunctionUrlHandler = (request: FunctionUrlRequest) => Promise<FunctionUrlResponse>;

/**
 * Serves a handler on 127.0.0.1, as a Lambda function URL would. Closing it finishes the open requests.
 *
 * @param port 0 picks a free one.
 * @throws Error if the port is in use.
 */
export async function listen(
  handle: FunctionUrlHandler,
  port: number,
): Promise<{ readonly port: number; close(): Promise<void> }> {
  const server = createServer(serverLimits, async (request, response) => {
    try {
      const { statusCode, headers, body } = await handle(await readRequest(request));
      response.writeHead(statusCode, headers).end(body);
    } catch {
      response.destroy();
    }
  });
  const messageOf = ({ message }: Error) => `the receiver cannot listen on 127.0.0.1:${port}: ${message}`;
  return {
    port: await startListening(server, "127.0.0.1", port, messageOf),
    close: () => new Promise((resolve) => void server.close(() => resolve())),
  };
}

/** Reads the whole body, but keeps no more of it than the handler needs to see that it is too long. */
async function readRequest(request: IncomingMessage): Promise<FunctionUrlRequest> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request) {
    if (bytes <= maxMessageBytes) chunks.push(chunk);
    bytes += chunk.length;
  }
  return {
    rawQueryString: /\?(.*)$/s.exec(request.url ?? "")?.[1] ?? "",
    requestContext: { http: { method: request.method ?? "", sourceIp: request.socket.remoteAddress ?? "" } },
    body: Buffer.concat(chunks).toString("base64"),
    isBase64Encoded: true,
  };
}
