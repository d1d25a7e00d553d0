/** The requests to the platform since the last reset. */
export interface RequestCount {
  /** How many, by method and kind of path: ids are written `{id}`. */
  readonly requests: Readonly<Record<string, number>>;
  /** The most requests that were in progress at the same time. */
  readonly atOnce: number;
}

/** Counts requests. Unlike the emulator's log it has no limit. */
export interface RequestCounter {
  /** Counts a request, and returns a function to call when its response is complete. */
  begin(method: string, path: string): () => void;
  read(): RequestCount;
  reset(): void;
}

export function createRequestCounter(): RequestCounter {
  let requests: Record<string, number> = {};
  let inProgress = 0;
  let atOnce = 0;
  return {
    begin: (method, path) => {
      const kind = `${method} ${path.replaceAll(/\/\d+(?=\/|$)/g, "/{id}")}`;
      requests[kind] = (requests[kind] ?? 0) + 1;
      inProgress += 1;
      atOnce = Math.max(atOnce, inProgress);
      return () => {
        inProgress -= 1;
      };
    },
    read: () => ({ requests: { ...requests }, atOnce }),
    reset: () => {
      requests = {};
      atOnce = 0;
    },
  };
}
