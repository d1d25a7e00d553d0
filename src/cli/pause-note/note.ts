import { z } from "zod";
import { overrideSchema, untilSchema } from "../../settings/override.ts";

/** What `pause` remembers of an incident, so that `resume` brings back exactly what was running. It holds no secrets. */
export type PauseNote = z.infer<typeof noteSchema>;

/** A tenant that `pause` was asked to pause. */
export type NotedTenant = z.infer<typeof notedTenantSchema>;

/** A tenant that the note of another incident has too. The `resume` of that incident resumes it. */
export interface HandedOverTenant extends NotedTenant {
  /** The path of that note. */
  note: string;
  /** The reason of that incident. */
  reason: string;
}

/** An override as the YAML of a stack has it, without a place. */
export type YamlOverride = z.infer<typeof yamlOverrideSchema>;

/** An override that `pause` wrote into a stack's file. */
export type WrittenOverride = z.infer<typeof writtenOverrideSchema>;

const notedTenantSchema = z.object({
  id: z.int(),
  name: z.string(),
  /** Name of its integration. */
  integration: z.string(),
  integrationId: z.int(),
  /** Whether it was paused already. `resume` leaves such a tenant alone. */
  wasPaused: z.boolean(),
});

const yamlOverrideSchema = z.object({
  ...overrideSchema.shape,
  until: z.string().optional(),
  integration: z.union([z.string(), z.int()]).optional(),
  tenants: z.array(z.string()).optional(),
});

const writtenOverrideSchema = z.object({
  /** Name of the stack's file. */
  file: z.string(),
  override: yamlOverrideSchema,
  /** The override of the same reason that it took the place of. */
  former: yamlOverrideSchema.optional(),
});

/**
 * The tenants that a command selected by a condition. The same command again completes what it has begun, whoever meets the
 * condition by then: a tenant that `pause` has paused no longer is "not paused".
 */
const selectionSchema = z.object({
  command: z.enum(["pause", "resume"]),
  /** Its id, or `all`. */
  integration: z.union([z.int(), z.literal("all")]),
  /** As on the command line. */
  where: z.string(),
  /** Ids of those tenants that are still in the note. */
  tenants: z.array(z.int()),
});

/** What a command has selected. */
export type NotedSelection = z.infer<typeof selectionSchema>;

/** Which tenants a command line selects. Only a selection with a condition is noted: others select the same ones again. */
export type SelectionKey = Pick<NotedSelection, "command" | "integration"> & { where: string | undefined };

export const noteSchema = z.object({
  version: z.literal(1),
  /** Base URL of the platform. */
  platform: z.string(),
  reason: z.string().min(1),
  until: untilSchema.optional(),
  /** When the last `pause` began to write. */
  at: z.string(),
  /** Ids of the tenants that a `pause` was to pause, and that no list has shown as paused since. */
  unverified: z.array(z.int()),
  /** Ids of the integrations that were paused as a whole, with the tenants that a stack is going to create. */
  wholeIntegrations: z.array(z.int()),
  tenants: z.array(notedTenantSchema),
  overrides: z.array(writtenOverrideSchema),
  selections: z.array(selectionSchema).default([]),
});

/** What a `pause` adds to a note. */
export type Addition = Pick<PauseNote, "platform" | "reason" | "until" | "at" | "wholeIntegrations" | "tenants">;

/**
 * The note with what another `pause` of the same incident adds. A tenant that the note has as running stays so, although it
 * is paused by now.
 */
export function extendedNote(note: PauseNote | undefined, addition: Addition): PauseNote {
  const tenants = new Map(note?.tenants.map((tenant) => [tenant.id, tenant]));
  for (const tenant of addition.tenants) {
    const { wasPaused = true } = tenants.get(tenant.id) ?? {};
    tenants.set(tenant.id, { ...tenant, wasPaused: tenant.wasPaused && wasPaused });
  }
  const running = addition.tenants.filter(({ wasPaused }) => !wasPaused);
  return {
    version: 1,
    ...addition,
    until: addition.until ?? note?.until,
    unverified: [...new Set([...(note?.unverified ?? []), ...running.map(({ id }) => id)])],
    wholeIntegrations: [...new Set([...(note?.wholeIntegrations ?? []), ...addition.wholeIntegrations])],
    tenants: [...tenants.values()],
    overrides: note?.overrides ?? [],
    selections: note?.selections ?? [],
  };
}

/** The selection of the same command line that a note has. */
export function notedSelection(note: PauseNote | undefined, key: SelectionKey): NotedSelection | undefined {
  return note?.selections.find((one) => isSameSelection(one, key));
}

/**
 * The note with the tenants that a command line selects, besides those that it selected before. They leave what the other command
 * has selected: to repeat that one does not undo this one.
 */
export function withSelection(note: PauseNote, key: SelectionKey, tenants: readonly { id: number }[]): PauseNote {
  const ids = new Set([...(notedSelection(note, key)?.tenants ?? []), ...tenants.map(({ id }) => id)]);
  const others = note.selections
    .filter((one) => !isSameSelection(one, key))
    .map((one) => (one.command === key.command ? one : { ...one, tenants: one.tenants.filter((id) => !ids.has(id)) }));
  const { where } = key;
  return { ...note, selections: where === undefined ? others : [...others, { ...key, where, tenants: [...ids] }] };
}

function isSameSelection(one: SelectionKey, other: SelectionKey): boolean {
  return one.command === other.command && one.integration === other.integration && one.where === other.where;
}

/** The ids of the tenants that were running at first. */
export function runningAtFirst(note: PauseNote | undefined): ReadonlySet<number> {
  return new Set(note?.tenants.filter(({ wasPaused }) => !wasPaused).map(({ id }) => id));
}

/** The note without these tenants, once `resume` has dealt with them. */
export function noteWithout(note: PauseNote, ids: { has(id: number): boolean }): PauseNote {
  const left = note.tenants.filter(({ id }) => !ids.has(id));
  const gone = note.tenants.filter(({ id }) => ids.has(id)).map(({ integrationId }) => integrationId);
  return {
    ...note,
    wholeIntegrations: note.wholeIntegrations.filter((id) => !gone.includes(id)),
    unverified: note.unverified.filter((id) => !ids.has(id)),
    selections: note.selections.map((one) => ({ ...one, tenants: one.tenants.filter((id) => !ids.has(id)) })),
    tenants: left,
  };
}
