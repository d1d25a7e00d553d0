import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { ownClaims } from "../../src/operation/claims.ts";
import { createQuiet, type Quiet } from "../../src/operation/quiet.ts";
import { claimsFolder } from "../operation/claims-folder.ts";

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

  test("three times as long before an archiving", async () => {
    const { duringCheck, untilArchivable } = createQuiet(ownClaims(), quietSeconds);
    await duringCheck(async () => {});
    const order: string[] = [];
    await Promise.all([
      untilArchivable("a tenant").then(() => order.push("archives")),
      sleep(2 * quietSeconds * 1000).then(() => order.push("twice the time")),
    ]);
    expect(order).toEqual(["twice the time", "archives"]);
  });

  test("for the time in which this process did not get its turn", async () => {
    const { duringCheck, untilQuiet } = createQuiet(ownClaims(), quietSeconds);
    await duringCheck(async () => {});
    const order: string[] = [];
    const waiting = untilQuiet().then(() => order.push("quiet"));
    await sleep(1);
    const until = performance.now() + 500;
    while (performance.now() < until); // nothing else in this process gets its turn
    await sleep(20);
    await duringCheck(async () => void order.push("declared"));
    await waiting;
    expect(order).toEqual(["declared", "quiet"]);
  });
});

describe("nothing is archived after a failure of the operation", () => {
  const fails = () => Promise.reject(new Error("failed"));

  test.each<[string, (quiet: Quiet) => unknown]>([
    ["a check", ({ duringCheck }) => duringCheck(fails).catch(() => {})],
    ["a create or an update", ({ duringWork }) => duringWork(fails).catch(() => {})],
    ["inputs that a check refuses", ({ noteFailure }) => noteFailure()],
  ])("of %s, in any process", async (_, fail) => {
    using here = claimsFolder();
    const [one, other] = [createQuiet(here.open(), 0.05), createQuiet(here.open(), 0.05)];
    await one.untilArchivable("acme");
    await fail(other);
    for (const { untilQuiet, untilArchivable } of [one, other]) {
      await untilQuiet();
      await expect(untilArchivable("acme")).rejects.toThrow(
        "acme is not archived, because another resource has failed",
      );
    }
  });
});
