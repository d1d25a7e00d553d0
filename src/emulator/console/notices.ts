import { randomUUID } from "node:crypto";

/** What the page after a form tells, once. */
export interface Notice {
  readonly text: string;
  /** A new API key, which can be seen this once. */
  readonly secret?: string | undefined;
}

/** Notices on their way from the form that was sent to the page that it leads to. */
export interface Notices {
  /** Answers what the page has to ask for. */
  add(notice: Notice): string;
  /** The notice, and forgets it. */
  take(id: string): Notice | undefined;
}

export function createNotices(): Notices {
  const waiting = new Map<string, Notice>();
  return {
    add: (notice) => {
      // Of pages that never came: the oldest first, as a Map keeps its order.
      for (const id of waiting.keys()) {
        if (waiting.size < maxWaiting) break;
        waiting.delete(id);
      }
      const id = randomUUID();
      waiting.set(id, notice);
      return id;
    },
    take: (id) => {
      const notice = waiting.get(id);
      waiting.delete(id);
      return notice;
    },
  };
}

const maxWaiting = 100;
