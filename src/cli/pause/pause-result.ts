import type { Project } from "../../stack/yaml/project.ts";
import type { NotedTenant, PauseNote } from "../pause-note/note.ts";
import type { StackChange } from "../stack-overrides/stack-changes.ts";

/** What `pause` has done, or would do. */
export interface PauseResult {
  isDryRun: boolean;
  /** The path of the note. */
  path: string;
  note: PauseNote;
  project: Project;
  /** The tenants that were running and that a list has shown as paused since. */
  paused: readonly NotedTenant[];
  /** The tenants that an earlier run has paused. */
  pausedEarlier: readonly NotedTenant[];
  /** The tenants that were paused before the incident. */
  pausedBefore: readonly NotedTenant[];
  /** The tenants that were archived meanwhile. */
  archived: readonly NotedTenant[];
  failed: readonly FailedTenant[];
  stacks: readonly StackChange[];
  /** The tenants for which no override can be written, as no stack's file shows them. */
  unrecorded: readonly NotedTenant[];
}

/** A tenant that could not be written. */
export interface FailedTenant extends NotedTenant {
  problem: string;
  /** Whether it cannot be resumed before its customer has connected it. */
  isWaiting?: true;
}
