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
