import type { Statements } from "./statements.ts";

/**
 * The kinds of jobs: a build becomes a release (`build`), a tenant's debounced triggers get a run (`debounce`), a run
 * ends (`run`), a tenant's schedule fires (`cron`).
 */
export type JobKind = "build" | "debounce" | "run" | "cron";

/** Something that the emulator does later. */
export interface Job {
  readonly kind: JobKind;
  /** The id of the build, tenant or run that the job is about. */
  readonly subject: number;
  /** In milliseconds since the epoch. */
  readonly dueAt: number;
  /** Of a `cron` job: the cron string that `dueAt` was computed from. */
  readonly detail: string | null;
}

/** The jobs that are still to be done. They are stored, so that they survive a restart. */
export interface JobStore {
  /** The first job that is due at `until`: the earliest, then the oldest. */
  findDue(until: number): Job | undefined;
  /** When the next job is due. */
  nextDueAt(): number | undefined;
  find(kind: JobKind, subject: number): Job | undefined;
  /** Replaces a job of the same kind and subject. */
  write(job: Job): void;
  remove(kind: JobKind, subject: number): void;
  /** The tenants whose schedules were due before `before`. */
  listOverdueSchedules(before: number): number[];
}

export function jobStore(statements: Statements): JobStore {
  return {
    findDue: (until) =>
      parseFound(statements.value(`SELECT ${job} FROM jobs WHERE due_at <= ? ORDER BY due_at, id LIMIT 1`, until)),
    nextDueAt: () => {
      const dueAt = statements.value("SELECT due_at FROM jobs ORDER BY due_at LIMIT 1");
      return dueAt === undefined ? undefined : Number(dueAt);
    },
    find: (kind, subject) =>
      parseFound(statements.value(`SELECT ${job} FROM jobs WHERE kind = ? AND subject = ?`, kind, subject)),
    write: ({ kind, subject, dueAt, detail }) =>
      statements.run(
        "INSERT OR REPLACE INTO jobs (kind, subject, due_at, detail) VALUES (?, ?, ?, ?)",
        kind,
        subject,
        dueAt,
        detail,
      ),
    remove: (kind, subject) => statements.run("DELETE FROM jobs WHERE kind = ? AND subject = ?", kind, subject),
    listOverdueSchedules: (before) =>
      statements.values("SELECT subject FROM jobs WHERE due_at < ? AND kind = 'cron' ORDER BY id", before).map(Number),
  };
}

const job = "json_object('kind', kind, 'subject', subject, 'dueAt', due_at, 'detail', detail)";

function parseFound(document: unknown): Job | undefined {
  return document === undefined ? undefined : JSON.parse(String(document));
}
