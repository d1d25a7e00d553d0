import { createServer, type Server } from "node:http";
import { getRequestListener } from "@hono/node-server";
import { senderLimits } from "../../sender-limits.ts";
import type { Connection } from "../faults/connection.ts";

/** A server that listens. */
export interface ListeningServer {
  /** The address to reach it at, without a slash at the end. */
  readonly url: string;
  /** Stops listening and cuts the connections that are still open. */
  close(): Promise<void>;
}

const maxConnections = 1000;

/**
 * Serves `handle` over HTTP.
 *
 * @param port 0 means any free one.
 * @throws Error when the address cannot be listened on, for example because the port is taken.
 */
export async function listen(
  handle: (request: Request, connection: Connection) => Promise<Response>,
  host: string,
  port: number,
): Promise<ListeningServer> {
  const server = createServer(senderLimits, getRequestListener(handle, { overrideGlobalObjects: false }));
  server.maxConnections = maxConnections;
  await startListening(server, host, port);
  return {
    url: `http://${reachableHost(host)}:${portOf(server)}`,
    close: () =>
      new Promise((resolve, reject) => {
        server.close((error) => (error ? reject(error) : resolve()));
        server.closeAllConnections();
      }),
  };
}

function startListening(server: Server, host: string, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once("error", (cause) => {
      reject(new Error(`the emulator cannot listen on ${host}:${port}: ${cause.message}`, { cause }));
    });
    server.listen(port, host, resolve);
  });
}

function portOf(server: Server): number {
  const address = server.address();
  return typeof address === "object" && address !== null ? address.port : 0;
}

/** The host as a URL has it. One cannot call the wildcard addresses themselves, but loopback answers for them. */
function reachableHost(host: string): string {
  if (host === "0.0.0.0") return "127.0.0.1";
  if (host === "::") return "[::1]";
  return host.includes(":") ? `[${host}]` : host;
}
