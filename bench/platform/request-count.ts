/** The requests to the platform since the last reset. */
export interface RequestCount {
  /** How many, by method and kind of path: ids are written `{id}`. */
  readonly requests: Readonly<Record<string, number>>;
  /** How many were under way at the same time, at most. */
  readonly atOnce: number;
}

/** Counts requests; unlike a log it has no end. */
export interface RequestCounter {
  /** Counts a request, and answers what to call when it is answered. */
  begin(method: string, path: string): () => void;
  read(): RequestCount;
  reset(): void;
}

export function createRequestCounter(): RequestCounter {
  let requests: Record<string, number> = {};
  let underWay = 0;
  let atOnce = 0;
  return {
    begin: (method, path) => {
      const kind = `${method} ${path.replaceAll(/\/\d+(?=\/|$)/g, "/{id}")}`;
      requests[kind] = (requests[kind] ?? 0) + 1;
      underWay += 1;
      atOnce = Math.max(atOnce, underWay);
      return () => {
        underWay -= 1;
      };
    },
    read: () => ({ requests: { ...requests }, atOnce }),
    reset: () => {
      requests = {};
      atOnce = 0;
    },
  };
}
