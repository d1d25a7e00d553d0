import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { ownClaims } from "../../src/operation/claims.ts";
import { createQuiet } from "../../src/operation/quiet.ts";

describe("waits while the program may still declare resources", () => {
  const quietSeconds = 0.05;

  test("during work that does not itself wait, and shortly after it", async () => {
    const { duringWork, untilQuiet } = createQuiet(ownClaims(), quietSeconds);
    let isQuiet = false;
    const working = duringWork(() => sleep(300));
    const waiting = duringWork(async () => {
      await untilQuiet();
      isQuiet = true;
    });
    await working;
    expect(isQuiet).toBe(false);
    await waiting;
    expect(isQuiet).toBe(true);
  });

  test("but not once all work waits, even several times in one piece of work", async () => {
    const { duringWork, untilQuiet } = createQuiet(ownClaims(), quietSeconds);
    const one = duringWork(() => Promise.all([untilQuiet(), untilQuiet()]));
    const other = duringWork(untilQuiet);
    await Promise.all([one, other, untilQuiet()]);
    await untilQuiet();
  });

  test("during a check", async () => {
    const { duringCheck, untilQuiet } = createQuiet(ownClaims(), quietSeconds);
    let isQuiet = false;
    const checking = duringCheck(() => sleep(300));
    const waiting = untilQuiet().then(() => {
      isQuiet = true;
    });
    await checking;
    expect(isQuiet).toBe(false);
    await waiting;
  });
});
