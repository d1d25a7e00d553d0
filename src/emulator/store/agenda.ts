import type { Statements } from "./statements.ts";

/** What can fall due: a build becomes a release, a tenant's triggers have been debounced, a run ends, a schedule fires. */
export type AgendaKind = "build" | "debounce" | "run" | "cron";

/** Something to be done at a time. */
export interface AgendaEntry {
  readonly kind: AgendaKind;
  /** The id of what it is about: a build, a tenant, a run, a tenant. */
  readonly subject: number;
  /** In milliseconds since the epoch. */
  readonly dueAt: number;
  /** Of a schedule: the cron string that `dueAt` was worked out from. */
  readonly detail: string | null;
}

/** All that the emulator has to do later. It is kept with the state, so a restart forgets nothing of it. */
export interface AgendaStore {
  /** The first entry due by then; among those of one time the oldest. */
  next(until: number): AgendaEntry | undefined;
  /** When something falls due next. */
  nextDueAt(): number | undefined;
  find(kind: AgendaKind, subject: number): AgendaEntry | undefined;
  /** Takes the place of an entry of the same kind and subject. */
  put(entry: AgendaEntry): void;
  remove(kind: AgendaKind, subject: number): void;
  /** The tenants whose schedules should have fired before then. */
  missedSchedules(before: number): number[];
}

export function agendaStore(statements: Statements): AgendaStore {
  return {
    next: (until) =>
      parseFound(statements.value(`SELECT ${entry} FROM agenda WHERE due_at <= ? ORDER BY due_at, id LIMIT 1`, until)),
    nextDueAt: () => {
      const dueAt = statements.value("SELECT due_at FROM agenda ORDER BY due_at LIMIT 1");
      return dueAt === undefined ? undefined : Number(dueAt);
    },
    find: (kind, subject) =>
      parseFound(statements.value(`SELECT ${entry} FROM agenda WHERE kind = ? AND subject = ?`, kind, subject)),
    put: ({ kind, subject, dueAt, detail }) =>
      statements.run(
        "INSERT OR REPLACE INTO agenda (kind, subject, due_at, detail) VALUES (?, ?, ?, ?)",
        kind,
        subject,
        dueAt,
        detail,
      ),
    remove: (kind, subject) => statements.run("DELETE FROM agenda WHERE kind = ? AND subject = ?", kind, subject),
    missedSchedules: (before) =>
      statements
        .values("SELECT subject FROM agenda WHERE due_at < ? AND kind = 'cron' ORDER BY id", before)
        .map(Number),
  };
}

const entry = "json_object('kind', kind, 'subject', subject, 'dueAt', due_at, 'detail', detail)";

function parseFound(document: unknown): AgendaEntry | undefined {
  return document === undefined ? undefined : JSON.parse(String(document));
}
