import { isManual } from "./clock.ts";
import { runJob } from "./operations/run-job.ts";
import type { Platform } from "./platform.ts";
import type { Job } from "./store/jobs.ts";

/** Runs the stored jobs when they are due, in the order of their times. */
export interface JobRunner {
  /** Runs all jobs that are due, and sets a timer for the next one. Call it before and after every change. */
  runDueJobs(): void;
  /**
   * Moves a manual clock forward. Each job that becomes due runs with the clock at the job's time.
   *
   * @throws Error when the clock is not manual, or `seconds` is negative or more than a year.
   */
  advance(seconds: number): void;
  /** Ends the timer, and sets none any more: the database is about to be closed. */
  stop(): void;
}

/** @param afterTimer called after jobs ran that no request caused. */
export function createJobRunner(platform: Platform, afterTimer: () => void): JobRunner {
  const { store, clock } = platform;
  let timer: NodeJS.Timeout | undefined;
  let isStopped = false;

  const setTimer = () => {
    clearTimeout(timer);
    if (isStopped) return;
    const dueAt = isManual(clock) ? undefined : store.jobs.nextDueAt();
    if (dueAt === undefined) return;
    timer = setTimeout(onTimer, Math.min(Math.max(dueAt - clock.now(), 0), longestTimerMilliseconds));
    timer.unref();
  };
  const runDueJobs = () => {
    for (let job = store.jobs.findDue(clock.now()); job; job = store.jobs.findDue(clock.now())) {
      runOnce(platform, job);
    }
    setTimer();
  };
  const onTimer = () => {
    runDueJobs();
    afterTimer();
  };

  return {
    runDueJobs,
    advance: (seconds) => {
      if (!isManual(clock)) {
        throw new Error(
          "The clock cannot be advanced: it is the machine's own. Start the emulator with a manual clock.",
        );
      }
      if (!(seconds >= 0 && seconds <= maxAdvanceSeconds)) {
        throw new Error(`The clock can be advanced by 0 to ${maxAdvanceSeconds} seconds, not by ${seconds}`);
      }
      const target = clock.now() + Math.round(seconds * 1000);
      for (let job = store.jobs.findDue(target); job; job = store.jobs.findDue(target)) {
        clock.moveTo(job.dueAt);
        runOnce(platform, job);
      }
      clock.moveTo(target);
      store.settings.writeClock(target);
      afterTimer();
    },
    stop: () => {
      isStopped = true;
      clearTimeout(timer);
    },
  };
}

/** A timer does not notice that the machine slept or its clock was set, so it looks again after an hour at most. */
const longestTimerMilliseconds = 3_600_000;
const maxAdvanceSeconds = 366 * 24 * 60 * 60;

function runOnce(platform: Platform, job: Job): void {
  const { jobs, transaction } = platform.store;
  try {
    transaction(() => {
      jobs.remove(job.kind, job.subject);
      runJob(platform, job);
    });
  } catch (error) {
    // A job that fails is not tried again, because it would block all later jobs.
    jobs.remove(job.kind, job.subject);
    console.error(`emulator: unexpected error in the job ${job.kind} ${job.subject}`, error);
  }
}
