import { isManual } from "./clock.ts";
import { fallDue } from "./operations/fall-due.ts";
import type { Platform } from "./platform.ts";
import type { AgendaEntry } from "./store/agenda.ts";

/** Does what is on the agenda when its time has come, in the order of time. */
export interface Clockwork {
  /** Does everything that is due, and sees to it that the rest is done in time. To be called around every change. */
  catchUp(): void;
  /**
   * Moves a manual clock on, doing everything that falls due on the way as if its time were now.
   *
   * @throws Error when the clock is not a manual one, or would go backwards or further than a year.
   */
  advance(seconds: number): void;
  stop(): void;
}

/** @param afterWork called when something was done by the clock alone. */
export function createClockwork(platform: Platform, afterWork: () => void): Clockwork {
  const { store, clock } = platform;
  let timer: NodeJS.Timeout | undefined;

  const arm = () => {
    clearTimeout(timer);
    const dueAt = isManual(clock) ? undefined : store.agenda.nextDueAt();
    if (dueAt === undefined) return;
    timer = setTimeout(wake, Math.min(Math.max(dueAt - clock.now(), 0), longestSleepMilliseconds));
    timer.unref();
  };
  const catchUp = () => {
    for (let entry = store.agenda.next(clock.now()); entry; entry = store.agenda.next(clock.now())) {
      perform(platform, entry);
    }
    arm();
  };
  const wake = () => {
    catchUp();
    afterWork();
  };

  return {
    catchUp,
    advance: (seconds) => {
      if (!isManual(clock)) throw new Error("the clock is the machine's own: start the emulator with a manual one");
      if (!(seconds >= 0 && seconds <= maxAdvanceSeconds)) {
        throw new Error(`a clock can be advanced by 0 to ${maxAdvanceSeconds} seconds`);
      }
      const target = clock.now() + Math.round(seconds * 1000);
      for (let entry = store.agenda.next(target); entry; entry = store.agenda.next(target)) {
        clock.moveTo(entry.dueAt);
        perform(platform, entry);
      }
      clock.moveTo(target);
      store.settings.writeClock(target);
      afterWork();
    },
    stop: () => clearTimeout(timer),
  };
}

const longestSleepMilliseconds = 3_600_000;
const maxAdvanceSeconds = 366 * 24 * 60 * 60;

function perform(platform: Platform, entry: AgendaEntry): void {
  const { agenda, transaction } = platform.store;
  try {
    transaction(() => {
      agenda.remove(entry.kind, entry.subject);
      fallDue(platform, entry);
    });
  } catch (error) {
    // Once is enough: an entry that cannot be done must not stand in the way of all others.
    agenda.remove(entry.kind, entry.subject);
    console.error(`emulator: unexpected error at ${entry.kind} ${entry.subject}`, error);
  }
}
