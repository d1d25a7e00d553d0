import type { OperationContext } from "../../operation/operation-context.ts";
import { platformTime } from "../../operation/platform-time.ts";
import { isInForce } from "../../settings/override.ts";
import type { Project } from "../../stack/yaml/project.ts";
import { type HandedOverTenant, type NotedTenant, noteWithout, type PauseNote } from "../pause-note/note.ts";
import { otherNotes, writeNote } from "../pause-note/note-file.ts";
import type { Outcome } from "../paused-state/set-paused.ts";
import { planStacks } from "../stack-overrides/stack-changes.ts";
import type { CommandContext } from "../with-platform.ts";

/**
 * Those tenants that the note of another incident has too. The `resume` of that incident resumes them. An incident whose `--until`
 * has passed is over: nobody may run its `resume`.
 */
export async function notedElsewhere(
  context: OperationContext,
  path: string,
  note: PauseNote,
  tenants: readonly NotedTenant[],
): Promise<HandedOverTenant[]> {
  const { at, isBelieved } = await platformTime(context);
  const others = (await otherNotes(path, note)).filter((other) => !isBelieved || isInForce(other.note, at));
  return tenants.flatMap((tenant) => {
    const other = others.find((one) => one.note.tenants.some(({ id }) => id === tenant.id));
    return other === undefined ? [] : [{ ...tenant, note: other.path, reason: other.note.reason }];
  });
}

/**
 * Writes into the notes of other incidents that these tenants were running at first: an incident that began later has noted them
 * as paused. Only within `withNoteLocks` of these notes.
 *
 * @returns the tenants that such a note still has.
 */
export async function handOver(
  path: string,
  note: PauseNote,
  tenants: readonly HandedOverTenant[],
): Promise<HandedOverTenant[]> {
  const taken: HandedOverTenant[] = [];
  for (const other of await otherNotes(path, note)) {
    const ids = idsOf(tenants.filter((tenant) => tenant.note === other.path));
    const those = other.note.tenants.filter(({ id }) => ids.has(id));
    if (those.length === 0) continue;
    const all = other.note.tenants.map((tenant) => (ids.has(tenant.id) ? { ...tenant, wasPaused: false } : tenant));
    await writeNote(other.path, { ...other.note, tenants: all });
    taken.push(...tenants.filter((tenant) => tenant.note === other.path && idsOf(those).has(tenant.id)));
  }
  return taken;
}

/** The tenants that an override of another reason holds, which a stack of the project declares. */
export async function heldByOverrides(
  context: CommandContext,
  project: Project,
  note: PauseNote,
  tenants: readonly NotedTenant[],
): Promise<ReadonlyMap<number, Outcome>> {
  const left = noteWithout(note, idsOf(tenants));
  const { plans } = await planStacks(project, left, context, { resumed: tenants, ofOthers: [] });
  const ids = idsOf(tenants);
  const byName = Map.groupBy(tenants, (tenant) => `${tenant.integrationId} ${tenant.name}`);
  const outcomes = plans.flatMap(({ file, held }) =>
    held.flatMap(({ tenant: { adopt, integrationId, name }, reason }): [number, Outcome][] => {
      const named = byName.get(`${integrationId} ${name}`)?.map(({ id }) => id) ?? [];
      const problem =
        `stays paused, because the override ${reason} in ${file} pauses it. End ${reason} (\`resume --note FILE\`, ` +
        "or remove that override), then run this command again.";
      const those = adopt !== undefined && ids.has(adopt) ? [adopt] : named;
      return those.map((id) => [id, { kind: "failed", problem }]);
    }),
  );
  return new Map(outcomes);
}

function idsOf(tenants: readonly { id: number }[]): ReadonlySet<number> {
  return new Set(tenants.map(({ id }) => id));
}
