import { createServer } from "node:http";
import { getRequestListener } from "@hono/node-server";
import { serverLimits, startListening } from "../../server/http-server.ts";
import type { Connection } from "../faults/connection.ts";

/** An HTTP server that listens. */
export interface ListeningServer {
  /** The URL of the server, without a slash at the end. */
  readonly url: string;
  /** Stops listening and closes the connections that are still open. */
  close(): Promise<void>;
}

const maxConnections = 1000;

/**
 * Serves `handle` over HTTP.
 *
 * @param port 0 means any free port.
 * @throws Error when the server cannot listen on the address, for example because the port is taken.
 */
export async function listen(
  handle: (request: Request, connection: Connection) => Promise<Response>,
  host: string,
  port: number,
): Promise<ListeningServer> {
  const listener = getRequestListener(handle, { overrideGlobalObjects: false });
  const server = createServer(serverLimits, (incoming, outgoing) => {
    outgoing.sendDate = false; // Node.js would send the machine's time, and not that of the emulator's clock
    return listener(incoming, outgoing);
  });
  server.maxConnections = maxConnections;
  const ownPort = await startListening(server, host, port, (cause) => {
    const hint = Object(cause).code === "EADDRINUSE" ? ". Is it running already? --port 0 takes a free port" : "";
    return `The emulator cannot listen on ${host}:${port}: ${cause.message}${hint}`;
  });
  return {
    url: `http://${reachableHost(host)}:${ownPort}`,
    close: () =>
      new Promise((resolve, reject) => {
        server.close((error) => (error ? reject(error) : resolve()));
        server.closeAllConnections();
      }),
  };
}

/** The host as it stands in a URL. A wildcard address cannot be called, but a server on it answers on loopback. */
function reachableHost(host: string): string {
  if (host === "0.0.0.0") return "127.0.0.1";
  if (host === "::") return "[::1]";
  return host.includes(":") ? `[${host}]` : host;
}
