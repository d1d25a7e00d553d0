import type { Hono } from "hono";

/** What comes with each request to the routes. */
export interface Environment {
  Bindings: {
    /** The body, read already. */
    readonly bodyText: string;
    /** Whether it came over a connection, and not through `fetch`. */
    readonly isOverNetwork: boolean;
  };
}

export type App = Hono<Environment>;
