/**
 * The webhook receiver: what the platform says once is not lost.
 *
 * @module
 */
export * from "./events/index.ts";
