import type { Project } from "../../stack/yaml/project.ts";
import type { FailedTenant } from "../pause/pause-result.ts";
import type { HandedOverTenant, NotedTenant, PauseNote } from "../pause-note/note.ts";
import type { StackChange } from "../stack-overrides/stack-changes.ts";

/** What `resume` has done, or would do. */
export interface ResumeResult {
  isDryRun: boolean;
  /** The path of the note. */
  path: string;
  /** As it was before; undefined if everything was brought back earlier. */
  note: PauseNote | undefined;
  /** The new path of the note, once nothing is left to do. */
  donePath?: string;
  project: Project;
  /** The tenants that a list has shown as running since. */
  resumed: readonly NotedTenant[];
  /** The tenants that were paused before the incident: left alone. */
  wasPaused: readonly NotedTenant[];
  /** The tenants that somebody has resumed meanwhile. */
  running: readonly NotedTenant[];
  /** Also those of them that were paused before the incident. */
  archived: readonly NotedTenant[];
  /** The tenants that stay paused, as another incident has not ended. */
  handedOver: readonly HandedOverTenant[];
  failed: readonly FailedTenant[];
  /** Whether the same command may resume one of these at once: an override of another incident does not pause it. */
  canRetry: boolean;
  /** What is noted still. */
  left: readonly NotedTenant[];
  stacks: readonly StackChange[];
  /** The resumed tenants that no stack's file shows: a program may have an override for them. */
  unrecorded: readonly NotedTenant[];
}
