import type { Hono } from "hono";

/** What the handler passes to the routes with each request. */
export interface Environment {
  Bindings: {
    /** The body, which the handler has read already. */
    readonly bodyText: string;
    /** Whether the request came over a connection. A request to `emulator.fetch` did not. */
    readonly isOverNetwork: boolean;
  };
}

/** The app that all routes are added to. */
export type App = Hono<Environment>;
