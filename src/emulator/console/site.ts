import { randomUUID } from "node:crypto";
import type { PendingFaults } from "../faults/pending.ts";
import type { RequestLog } from "../http/request-log.ts";
import type { OpenApiDocument } from "../openapi/document.ts";
import type { Platform } from "../platform.ts";

/** What all pages of the console share. */
export interface Site extends SiteParts {
  readonly notices: Notices;
}

/** What the console shows and changes. */
export interface SiteParts {
  readonly platform: Platform;
  readonly faults: Pick<PendingFaults, "add" | "list" | "clear">;
  readonly log: Pick<RequestLog, "list">;
  /** Describes the API. Called only when somebody opens that page. */
  readonly describeApi: () => OpenApiDocument;
}

/** What a page is rendered from: the site, and the outcome of the form that led to the page. */
export interface View extends Site {
  /** The message about the form that was just accepted. */
  readonly notice?: Notice | undefined;
  /** The form that was just refused. */
  readonly refusedForm?: RefusedForm | undefined;
}

/** A form that was refused. The page shows it again with the values that were sent, and the problems. */
export interface RefusedForm {
  readonly name: string;
  readonly fields: URLSearchParams;
  readonly problems: readonly string[];
}

/** A message that the next page shows once. */
export interface Notice {
  readonly text: string;
  /** A new API key. No other page shows it. */
  readonly secret?: string | undefined;
}

/** The notices that wait for the page to which a form redirects. */
export interface Notices {
  /** Stores a notice. @returns the id for the query of the page. */
  add(notice: Notice): string;
  /** Returns a notice and removes it. */
  take(id: string): Notice | undefined;
}

export function createNotices(): Notices {
  const waiting = new Map<string, Notice>();
  return {
    add: (notice) => {
      // Drops the oldest notices, whose pages were never loaded. A Map keeps the order of insertion.
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
