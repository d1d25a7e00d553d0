import type { HandedOverTenant, NotedTenant, WrittenOverride } from "../pause-note/note.ts";

/** What is paused on the platform, and until when it has to stay so. */
export interface Incident {
  /** Base URL of the platform. */
  platform: string;
  /** The platform's time. */
  now: Date;
  /** The reason of its overrides, such as its number. */
  reason: string;
  /** When its overrides end: ISO 8601 with the offset from UTC; `undefined` if `resume` ends them. */
  until: string | undefined;
  mustStayPaused: readonly NotedTenant[];
  /** What `resume` does. */
  resume: ResumedTenants | undefined;
  /** Ids of the integrations of which every tenant has to stay paused, also those that a stack is going to create. */
  wholeIntegrations: readonly number[];
  /** The overrides that `pause` has written or was about to write, of all files. */
  written: readonly WrittenOverride[];
  /** The ids of the platform's integrations, by id and by name. */
  integrationIds: ReadonlyMap<string | number, number>;
  /** Whether no stack of this platform declares a noted tenant by its id or its name. */
  isUndeclared(tenant: NotedTenant): boolean;
  /** Whether a live tenant of an integration has this name, of which the same is known. */
  isLive(integrationId: number, name: string): boolean;
  /** Whether a live tenant has this id. Only the integrations of the incident's tenants are known. */
  isLiveId(id: number): boolean;
}

/** What becomes of tenants of a note that `resume` takes out of it. */
export interface ResumedTenants {
  /** The tenants that it brings back. */
  resumed: readonly NotedTenant[];
  /** The tenants that the note of another incident has too, and that stay paused. */
  ofOthers: readonly HandedOverTenant[];
}
