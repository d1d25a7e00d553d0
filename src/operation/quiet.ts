import { AsyncLocalStorage } from "node:async_hooks";
import { setTimeout as sleep } from "node:timers/promises";
import { z } from "zod";
import { CancelledError } from "../api/index.ts";
import type { Claims, Writer } from "./claims.ts";

/** Tells when the program has probably declared everything. */
export interface Quiet {
  /** Runs a check or a diff. The engine calls these one by one, and as long as they come the program declares more. */
  duringCheck<T>(check: () => Promise<T>): Promise<T>;
  /**
   * Runs a create or an update. The engine has few workers: while all of them are busy, it sends no checks, even if the
   * program declares more.
   */
  duringWork<T>(work: () => Promise<T>): Promise<T>;
  /**
   * Records that a resource of the program has failed. The engine sends no more after a failure, so the program may not have
   * declared everything. A check, a diff or work that throws is recorded without it.
   */
  noteFailure(): void;
  /**
   * Resolves once no checks and no work, except work that waits here, have been running for `quietSeconds`, in any provider
   * process of the operation. On a machine that is so busy that this process does not get its turn, it takes longer.
   */
  untilQuiet(): Promise<void>;
  /**
   * Waits like `untilQuiet`, but three times as long, before an archiving, which cannot be undone.
   *
   * @param what is to be archived, for the message.
   * @throws Error if a resource of the operation has failed: then one that takes the tenant over may not be known.
   */
  untilArchivable(what: string): Promise<void>;
  /** Waits until those that wait in `untilArchivable` now have archived what they wait for. */
  untilArchived(): Promise<void>;
}

/** How many times as long {@link Quiet.untilArchivable} waits. */
const timesBeforeArchiving = 3;
/** Longer: whoever archives before this is over works then, which begins the wait anew. */
const timesUntilArchived = 4;

/** How long this process must be idle before it tells the others, so that a row of short checks tells them nothing. */
const idleMilliseconds = 25;
/** How long to pause between two looks. While it is quiet they are short, as a pause that took too long counts only once. */
const pauseMilliseconds = { quiet: 20, active: 100 };

/**
 * Creates the {@link Quiet} of one operation.
 *
 * @param quietSeconds how many seconds without a check mean that the program has declared everything. A program that waits
 * longer between two resources may still declare more; the provider cannot detect this.
 * @param signal ends the waiting with a `CancelledError`, within a tenth of a second.
 */
export function createQuiet(claims: Claims, quietSeconds = 0.3, signal?: AbortSignal): Quiet {
  const currentWork = new AsyncLocalStorage<{ waiting: number }>();
  const activeOthers = new Set<Writer>();
  let checks = 0;
  let busy = 0;
  /** By the clock of this process: of another process, the time when this process has heard of it. */
  let lastEndAt = Number.NEGATIVE_INFINITY;
  let isSaidToBeActive = false;
  let idleTimer: NodeJS.Timeout | undefined;

  const sayActive = claims.define("active", z.tuple([z.boolean()]), (by, isActive) => {
    if (by === claims.own) return;
    if (isActive) activeOthers.add(by);
    else activeOthers.delete(by);
    lastEndAt = performance.now();
  });
  const isIdle = () => checks === 0 && busy === 0;
  let hasFailed = false;
  const noteFailure = claims.define("failure", z.tuple([]), () => {
    hasFailed = true;
  });
  const failing = (error: unknown): never => {
    if (!hasFailed) noteFailure();
    throw error;
  };
  const begin = () => {
    if (!claims.isShared || isSaidToBeActive) return;
    isSaidToBeActive = true;
    sayActive(true);
  };
  const sayIdleSoon = () => {
    if (!isSaidToBeActive || !isIdle() || idleTimer !== undefined) return;
    idleTimer = setTimeout(() => {
      idleTimer = undefined;
      if (!isIdle()) return;
      isSaidToBeActive = false;
      sayActive(false);
    }, idleMilliseconds).unref();
  };
  const end = () => {
    lastEndAt = performance.now();
    sayIdleSoon();
  };

  const untilQuietFor = async (times: number) => {
    const own = currentWork.getStore() ?? { waiting: 1 };
    own.waiting += 1;
    if (own.waiting === 1) {
      busy -= 1;
      sayIdleSoon();
    }
    let since = lastEndAt;
    /** How much later than asked this process went on: in this time the program may have got no turn either. */
    let lateMilliseconds = 0;
    try {
      for (;;) {
        if (signal?.aborted) throw new CancelledError();
        claims.sync();
        if (since !== lastEndAt) [since, lateMilliseconds] = [lastEndAt, 0];
        const isActive = !isIdle() || [...activeOthers].some((other) => other.isAlive());
        const leftMilliseconds = since + times * quietSeconds * 1000 + lateMilliseconds - performance.now();
        if (!isActive && leftMilliseconds <= 0) return;
        const pause = isActive ? pauseMilliseconds.active : pauseMilliseconds.quiet;
        const startedAt = performance.now();
        await sleep(pause);
        lateMilliseconds += Math.max(0, performance.now() - startedAt - pause);
      }
    } finally {
      own.waiting -= 1;
      if (own.waiting === 0) {
        busy += 1;
        begin();
      }
    }
  };

  return {
    duringCheck: async (check) => {
      checks += 1;
      begin();
      try {
        return await check().catch(failing);
      } finally {
        checks -= 1;
        end();
      }
    },
    duringWork: async (work) => {
      const own = { waiting: 0 };
      busy += 1;
      begin();
      try {
        return await currentWork.run(own, work).catch(failing);
      } finally {
        busy -= 1;
        end();
      }
    },
    noteFailure,
    untilQuiet: () => untilQuietFor(1),
    untilArchivable: async (what) => {
      await untilQuietFor(timesBeforeArchiving);
      if (!hasFailed) return;
      throw new Error(
        `${what} is not archived, because another resource has failed: a resource that takes it over may not be known yet. ` +
          "Repair that resource, then run up again",
      );
    },
    untilArchived: () => untilQuietFor(timesUntilArchived),
  };
}
