/**
 * How long whoever sends to a server of ours may take, in milliseconds, and how many bytes of headers it may send: one
 * that is slow or lost must not hold up the others.
 */
export const senderLimits = {
  maxHeaderSize: 16_384,
  headersTimeout: 5_000,
  requestTimeout: 10_000,
  keepAliveTimeout: 5_000,
  connectionsCheckingInterval: 1_000,
};
