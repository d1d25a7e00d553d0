import type { OperationContext } from "../../operation/operation-context.ts";
import { type Addition, extendedNote, type NotedTenant, type PauseNote, runningAtFirst } from "../pause-note/note.ts";
import { freshTenants } from "../paused-state/set-paused.ts";

/**
 * The tenants to pause, with those as running that were running at first and that a `resume` has taken out of the note since:
 * they may have been listed as paused before it resumed them.
 *
 * @param before the note before the tenants were listed.
 * @param note the note as it is now.
 */
export function withTakenAsRunning(
  tenants: readonly NotedTenant[],
  before: PauseNote | undefined,
  note: PauseNote | undefined,
): NotedTenant[] {
  const [formerly, now] = [runningAtFirst(before), runningAtFirst(note)];
  const isTaken = ({ id }: NotedTenant) => formerly.has(id) && !now.has(id);
  return tenants.map((tenant) => (isTaken(tenant) ? { ...tenant, wasPaused: false } : tenant));
}

/** Tenants that a `resume` has taken out of the note while a `pause` sent its requests. */
export interface TakenTenants {
  /** The `pause` paused them later: only the `pause` still knows that they were running. */
  paused: readonly NotedTenant[];
  /** The `resume` resumed them later. */
  running: readonly NotedTenant[];
}

/**
 * Compares what a `pause` has noted with the note as it is now.
 *
 * @param note is undefined if a `resume` has completed it.
 * @param noted the tenants that the `pause` noted as running.
 */
export async function takenTenants(
  context: OperationContext,
  note: PauseNote | undefined,
  noted: readonly NotedTenant[],
): Promise<TakenTenants> {
  const kept = runningAtFirst(note);
  const taken = noted.filter(({ id }) => !kept.has(id));
  const live = await freshTenants(context, taken);
  return {
    paused: taken.filter(({ id }) => live.get(id)?.paused === true),
    running: taken.filter(({ id }) => live.get(id)?.paused === false),
  };
}

/**
 * The note as it is now, with the tenants that a `resume` has taken out of it and that are paused. Undefined if a `resume` has
 * completed it, and none of them is paused.
 */
export function noteWithTaken(
  note: PauseNote | undefined,
  addition: Addition,
  taken: TakenTenants,
): PauseNote | undefined {
  if (taken.paused.length === 0) return note;
  const isWhole = (id: number) => taken.running.every(({ integrationId }) => integrationId !== id);
  const wholeIntegrations = addition.wholeIntegrations.filter(isWhole);
  return extendedNote(note, { ...addition, wholeIntegrations, tenants: [...taken.paused] });
}
