import { describe, expect, test } from "vitest";
import type { Emulator } from "../../src/emulator/index.ts";
import { call, createTenant, install, runsOf, startManual, sync } from "./running-emulator.ts";

const hour = 3600;

/** When the runs of a tenant started. */
async function starts(emulator: Emulator, id: number): Promise<unknown[]> {
  return (await runsOf(emulator, id)).map((run) => Object(run).started_date);
}

function byStart(one: unknown, other: unknown): number {
  return String(Object(one).started_date).localeCompare(String(Object(other).started_date));
}

describe("a schedule", () => {
  test("fires at its times, in UTC", async () => {
    const emulator = await startManual();
    const id = await install(emulator, { user_schedule: "30 */6 * * *" });
    await emulator.advance({ seconds: 13 * hour });
    expect(await starts(emulator, id)).toEqual([
      "2026-06-01T00:30:00.000Z",
      "2026-06-01T06:30:00.000Z",
      "2026-06-01T12:30:00.000Z",
    ]);
    expect(await runsOf(emulator, id)).toMatchObject([{ mode: "normal", triggers: [{ source: "schedule" }] }, {}, {}]);
  });

  test("is the integration's when the tenant has none, also after the integration's changes", async () => {
    const emulator = await startManual();
    const id = await install(emulator, { integration: "shop-to-erp" });
    await emulator.advance({ seconds: 3 * hour });
    expect(await starts(emulator, id)).toEqual(["2026-06-01T02:00:00.000Z"]);
    await call(emulator, "PATCH", "/_emulator/integrations/102", { default_schedule: "0 4 * * *" });
    await emulator.advance({ seconds: 3 * hour });
    expect((await starts(emulator, id)).slice(1)).toEqual(["2026-06-01T04:00:00.000Z"]);
  });

  test.each([
    ["unconnected", { status: { auth: { connected: false } } }],
    ["paused", { paused: true }],
    ["neither paused nor not", { paused: null }],
    ["archived", { archived: true }],
    ["without a schedule", { user_schedule: null }],
    ["with a schedule that is none", { user_schedule: "whenever" }],
    ["with a schedule that never comes", { user_schedule: "0 0 30 2 *" }],
  ])("does not fire for a tenant that is %s", async (_what, fields) => {
    const emulator = await startManual();
    const id = await install(emulator, { user_schedule: "0 * * * *", ...fields });
    await emulator.advance({ seconds: 30 * hour });
    expect(await starts(emulator, id)).toEqual([]);
  });

  test("follows changes of its tenant", async () => {
    const emulator = await startManual();
    const id = await createTenant(emulator, { user_schedule: "0 * * * *" });
    const patch = (fields: object) => call(emulator, "PATCH", `/v2/tenants/${id}`, fields);
    const firesIn2Hours = async () => {
      const before = (await starts(emulator, id)).length;
      await emulator.advance({ seconds: 2 * hour });
      return (await starts(emulator, id)).length - before;
    };
    expect(await firesIn2Hours()).toBe(0);
    await patch({ paused: false });
    expect(await firesIn2Hours()).toBe(0);
    for (const name of ["crm", "billing"]) {
      await call(emulator, "POST", `/_emulator/tenants/${id}/connectors/${name}`, { status: "connected" });
    }
    expect(await firesIn2Hours()).toBe(2);
    await patch({ user_schedule: "*/30 * * * *" });
    expect(await firesIn2Hours()).toBe(4);
    await patch({ paused: true });
    expect(await firesIn2Hours()).toBe(0);
    await patch({ paused: false });
    expect(await firesIn2Hours()).toBe(4);
    await call(emulator, "PATCH", `/v2/tenants/${id}/connectors/crm/disconnect`);
    expect(await firesIn2Hours()).toBe(0);
    await call(emulator, "POST", `/_emulator/tenants/${id}/connectors/crm`, { status: "connected" });
    expect(await firesIn2Hours()).toBe(4);
    await call(emulator, "DELETE", `/v2/tenants/${id}`);
    expect(await firesIn2Hours()).toBe(0);
  });

  test("that fires during a run joins the next run", async () => {
    const emulator = await startManual();
    const id = await install(emulator, { user_schedule: "* * * * *", runs: { takes_seconds: 150 } });
    await emulator.advance({ seconds: 400 });
    expect(await runsOf(emulator, id)).toMatchObject([
      { started_date: "2026-06-01T00:01:00.000Z" },
      { started_date: "2026-06-01T00:03:30.000Z" },
      { started_date: "2026-06-01T00:06:00.000Z" },
      { started_date: null },
    ]);
  });

  test("has a queue of its own, which goes first: its triggers join no run of requested ones", async () => {
    const emulator = await startManual();
    const id = await install(emulator, { user_schedule: "0,1 1 * * *", runs: { takes_seconds: 150 } });
    await emulator.advance({ seconds: hour - 10 });
    await sync(emulator, id);
    await emulator.advance({ seconds: 5 });
    await sync(emulator, id);
    await emulator.advance({ seconds: 900 });
    expect((await runsOf(emulator, id)).sort(byStart)).toMatchObject([
      { started_date: "2026-06-01T00:59:51.000Z", triggers: [{ source: "api" }] },
      { started_date: "2026-06-01T01:02:21.000Z", triggers: [{ source: "schedule" }, { source: "schedule" }] },
      { started_date: "2026-06-01T01:04:51.000Z", triggers: [{ source: "api" }] },
    ]);
  });

  test("is not delayed by syncs on request", async () => {
    const emulator = await startManual();
    const id = await install(emulator, { user_schedule: "0 1 * * *" });
    await sync(emulator, id);
    await emulator.advance({ seconds: 2 * hour });
    expect(await starts(emulator, id)).toEqual(["2026-06-01T00:00:01.000Z", "2026-06-01T01:00:00.000Z"]);
  });
});
