import type { Server } from "node:http";

/**
 * Options of `http.createServer` for every server of this project: times in milliseconds, sizes in bytes. They bound what a
 * slow or lost sender can hold.
 */
export const serverLimits = {
  maxHeaderSize: 16_384,
  headersTimeout: 5_000,
  requestTimeout: 10_000,
  keepAliveTimeout: 5_000,
  connectionsCheckingInterval: 1_000,
};

/**
 * Resolves to the port once the server listens; 0 takes a free one.
 *
 * @throws Error with the cause if it cannot listen. `messageOf` makes its message.
 */
export function startListening(
  server: Server,
  host: string,
  port: number,
  messageOf: (cause: Error) => string,
): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once("error", (cause) => reject(new Error(messageOf(cause), { cause })));
    server.listen(port, host, () => {
      const address = server.address();
      resolve(typeof address === "object" && address !== null ? address.port : port);
    });
  });
}

/** A function that closes at its first call. All calls get the promise of the first one. */
export function closeOnce(close: () => Promise<void>): () => Promise<void> {
  let closed: Promise<void> | undefined;
  return () => {
    closed ??= close();
    return closed;
  };
}
