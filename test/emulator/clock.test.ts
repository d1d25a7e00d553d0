import { expect, test } from "vitest";
import { createManualClock } from "../../src/emulator/index.ts";
import { call, install, runsOf, startEmulator, startManual, sync, triggerStatus } from "./running-emulator.ts";

test("a manual clock stands still until it is advanced, by a call or over HTTP", async () => {
  const emulator = await startManual();
  const time = async () => (await call(emulator, "GET", "/_emulator/clock")).body;
  expect(await time()).toEqual({ now: "2026-06-01T00:00:00.000Z", kind: "manual" });
  await emulator.advance({ seconds: 90 });
  expect(await time()).toEqual({ now: "2026-06-01T00:01:30.000Z", kind: "manual" });
  const answer = await call(emulator, "POST", "/_emulator/clock", { advanceSeconds: 0.5 });
  expect(answer).toMatchObject({ status: 200, body: { now: "2026-06-01T00:01:30.500Z" } });
});

test("a manual clock may start at any time", async () => {
  const emulator = await startEmulator({ clock: createManualClock("2030-02-03T04:05:06Z") });
  expect((await call(emulator, "GET", "/_emulator/clock")).body).toMatchObject({ now: "2030-02-03T04:05:06.000Z" });
  expect(() => createManualClock("soon")).toThrow(/cannot start at "soon"/);
});

test.each([-1, 1e9, "60", null])("a clock cannot be advanced by %j", async (advanceSeconds) => {
  const emulator = await startManual();
  expect((await call(emulator, "POST", "/_emulator/clock", { advanceSeconds })).status).toBe(422);
});

test("the machine's clock cannot be advanced", async () => {
  const emulator = await startEmulator();
  await expect(emulator.advance({ seconds: 1 })).rejects.toThrow(/the machine's own/);
  expect((await call(emulator, "POST", "/_emulator/clock", { advanceSeconds: 1 })).status).toBe(422);
  expect((await call(emulator, "GET", "/_emulator/clock")).body).toMatchObject({ kind: "real" });
});

test("advancing runs the jobs that become due, in their order and at their times", async () => {
  const emulator = await startManual();
  const slow = await install(emulator, { name: "slow", runs: { takes_seconds: 30 } });
  const quick = await install(emulator, { name: "quick", runs: { takes_seconds: 3 } });
  await sync(emulator, slow);
  await sync(emulator, quick);
  await call(emulator, "POST", "/v2/sourcecontrol/build", { tag: "v9", integration_id: 101 });
  await emulator.advance({ seconds: 3600 });
  expect(await runsOf(emulator, slow)).toMatchObject([
    { started_date: "2026-06-01T00:00:01.000Z", completed_date: "2026-06-01T00:00:31.000Z" },
  ]);
  expect(await runsOf(emulator, quick)).toMatchObject([
    { started_date: "2026-06-01T00:00:01.000Z", completed_date: "2026-06-01T00:00:04.000Z" },
  ]);
  expect((await call(emulator, "GET", "/v2/integrations/101/releases/latest")).body).toMatchObject({
    tag: "v9",
    created_date: "2026-06-01T00:00:02.000Z",
  });
});

test("with the machine's clock, jobs run without requests", async () => {
  const emulator = await startEmulator();
  const id = await install(emulator, { runs: { takes_seconds: 0 } });
  const trigger = await sync(emulator, id);
  await expect.poll(() => triggerStatus(emulator, trigger), { timeout: 10_000 }).toBe("succeeded");
});

test("each request reads a clock that the caller passed", async () => {
  let now = Date.parse("2026-01-01T00:00:00Z");
  const emulator = await startEmulator({ clock: { now: () => now } });
  const trigger = await sync(emulator, await install(emulator));
  expect(await triggerStatus(emulator, trigger)).toBe(404);
  now += 1_000;
  expect(await triggerStatus(emulator, trigger)).toBe("running");
  now += 5_000;
  expect(await triggerStatus(emulator, trigger)).toBe("succeeded");
});
