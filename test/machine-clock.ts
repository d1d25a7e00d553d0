import type { MachineClock } from "../src/api/index.ts";
import { type Clock, createManualClock } from "../src/emulator/index.ts";

/**
 * The clock of an emulator, and a machine's clock that agrees with it, whatever the real time is.
 *
 * @param option as the emulator takes it.
 */
export function agreeingClocks(option: "real" | "manual" | Clock = "real"): {
  clock: "real" | Clock;
  machineClock?: MachineClock;
} {
  if (option === "real") return { clock: option };
  const clock = option === "manual" ? createManualClock() : option;
  return { clock, machineClock: machineClockOf(clock) };
}

/** A machine's clock that agrees with an emulator's. */
export function machineClockOf({ now }: Clock): MachineClock {
  return { now, elapsed: () => performance.now() };
}
