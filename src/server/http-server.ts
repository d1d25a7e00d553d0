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

/** A function that closes at its first call. All calls get the promise of the first one. */
export function closeOnce(close: () => Promise<void>): () => Promise<void> {
  let closed: Promise<void> | undefined;
  return () => {
    closed ??= close();
    return closed;
  };
}
