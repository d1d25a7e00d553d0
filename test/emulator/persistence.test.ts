import { readdirSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { expect, test } from "vitest";
import { createManualClock } from "../../src/emulator/index.ts";
import { downgrade } from "./older-database.ts";
import {
  call,
  createTenant,
  install,
  readTenant,
  runsOf,
  startEmulator,
  startManual,
  sync,
  temporaryDirectory,
  triggerStatus,
} from "./running-emulator.ts";

test("a restart loses nothing and does not seed again", async () => {
  const data = join(temporaryDirectory(), "made", "on demand");
  const first = await startEmulator({ data });
  const id = await createTenant(first, { configs: { region: "eu" } });
  await call(first, "PATCH", `/v2/tenants/${id}/metadata`, { plan: "gold" });
  await call(first, "POST", "/_emulator/integrations/101/releases", { id: 950, name: "v2" });
  const archived = await createTenant(first, { name: "globex" });
  await call(first, "DELETE", `/v2/tenants/${archived}`);
  const before = [await readTenant(first, id), await readTenant(first, archived)];
  await first.close();

  const second = await startEmulator({ data, seed: { integrations: [{ id: 1, name: "another" }] } });
  expect([await readTenant(second, id), await readTenant(second, archived)]).toEqual(before);
  expect((await call(second, "GET", `/v2/tenants/${id}/metadata`)).body).toMatchObject({ data: { plan: "gold" } });
  expect((await call(second, "GET", "/v2/integrations/101/releases/latest")).body).toMatchObject({ id: 950 });
  expect((await call(second, "GET", "/v2/integrations/1")).status).toBe(404);
  expect(await createTenant(second, { name: "third" })).toBeGreaterThan(archived);
});

test("a reset of a stored state restores the seed", async () => {
  const data = temporaryDirectory();
  const emulator = await startEmulator({ data });
  await createTenant(emulator);
  await emulator.reset();
  await emulator.close();
  expect((await call(await startEmulator({ data }), "GET", "/v2/tenants")).body).toEqual([]);
});

test("without a data directory no file is written", async () => {
  const before = readdirSync(process.cwd());
  await createTenant(await startEmulator());
  expect(readdirSync(process.cwd())).toEqual(before);
});

test("after a restart runs, triggers and builds go on and end when they are due", async () => {
  const data = temporaryDirectory();
  const first = await startManual({ data });
  const id = await install(first, { runs: { takes_seconds: 60 } });
  const running = await sync(first, id);
  await first.advance({ seconds: 2 });
  const debounced = await sync(first, id);
  await call(first, "POST", "/v2/sourcecontrol/build", { tag: "v9", integration_id: 101 });
  await first.close();

  const second = await startManual({ data });
  expect([await triggerStatus(second, running), await triggerStatus(second, debounced)]).toEqual(["running", 404]);
  await second.advance({ seconds: 2 });
  expect(await triggerStatus(second, debounced)).toBe("pending");
  expect((await call(second, "GET", "/v2/integrations/101/releases/latest")).body).toMatchObject({ tag: "v9" });
  await second.advance({ seconds: 58 });
  expect(await runsOf(second, id)).toMatchObject([
    { completed_date: "2026-06-01T00:01:01.000Z" },
    { started_date: "2026-06-01T00:01:01.000Z" },
  ]);
});

test("after a restart overdue jobs run at once, but schedules skip the times that have passed", async () => {
  const data = temporaryDirectory();
  const first = await startManual({ data });
  const scheduled = await install(first, { name: "scheduled", user_schedule: "0 * * * *" });
  const requested = await install(first, { name: "requested" });
  const trigger = await sync(first, requested);
  await first.advance({ seconds: 1 });
  await first.close();

  const second = await startEmulator({ data, clock: createManualClock("2026-06-01T10:30:00Z") });
  expect(await triggerStatus(second, trigger)).toBe("succeeded");
  expect(await runsOf(second, scheduled)).toEqual([]);
  await second.advance({ seconds: 3600 });
  expect(await runsOf(second, scheduled)).toMatchObject([{ started_date: "2026-06-01T11:00:00.000Z" }]);
});

test("a restart keeps the manual clock, settings, keys and links", async () => {
  const data = temporaryDirectory();
  const first = await startManual({ data });
  await first.advance({ seconds: 100 });
  await call(first, "PATCH", "/_emulator/settings", { primary_contact: "a@example.com" });
  const { body } = await call(first, "POST", "/_emulator/api-keys", { name: "ci" });
  await sync(first, await install(first));
  await first.advance({ seconds: 20 });
  const log = await fetch(`${first.url}/v2/runs/7001/log`, {
    headers: { "x-api-key": first.apiKey },
    redirect: "manual",
  });
  const link = new URL(log.headers.get("location") ?? "");
  await first.close();

  const second = await startManual({ data });
  const headers = { "x-api-key": String(Object(body).key) };
  expect((await call(second, "GET", "/_emulator/clock")).body).toMatchObject({ now: "2026-06-01T00:02:00.000Z" });
  expect((await call(second, "GET", "/_emulator/settings")).body).toMatchObject({ primary_contact: "a@example.com" });
  expect((await call(second, "GET", "/v2/tenants", undefined, headers)).status).toBe(200);
  expect((await fetch(`${second.url}${link.pathname}${link.search}`)).status).toBe(200);
  await second.reset();
  expect((await call(second, "GET", "/_emulator/settings")).body).toMatchObject({ primary_contact: null });
  expect((await call(second, "GET", "/v2/tenants", undefined, headers)).status).toBe(403);
  expect((await call(second, "GET", "/v2/tenants")).status).toBe(200);
});

test("after a restart variants and lag are those of the start, and there are no faults and no requests", async () => {
  const data = temporaryDirectory();
  const first = await startManual({ data });
  await call(first, "PATCH", "/_emulator/variants", { configs: "merge" });
  await call(first, "PATCH", "/_emulator/lag", { seconds: 60 });
  await call(first, "POST", "/_emulator/faults", { kind: "status", status: 503 });
  await call(first, "GET", "/v2/integrations");
  await first.close();

  const second = await startManual({ data, variants: { builds: "slow" }, lagSeconds: 2 });
  const read = async (name: string) => (await call(second, "GET", `/_emulator/${name}`)).body;
  expect(await read("variants")).toMatchObject({ configs: "replace", builds: "slow" });
  expect([await read("lag"), await read("faults"), await read("requests")]).toEqual([{ seconds: 2 }, [], []]);
});

test.each([1, 2, 3, 4] as const)("a file of format %d is upgraded", async (format) => {
  const data = temporaryDirectory();
  const first = await startManual({ data });
  const id = await createTenant(first);
  const scheduled = await install(first, { user_schedule: "0 * * * *" });
  first.setVariants({ visibility: "lagging" });
  await call(first, "PATCH", `/v2/tenants/${id}`, { name: "globex" });
  await call(first, "PATCH", `/v2/tenants/${id}/metadata`, { plan: "gold" });
  await first.close();
  downgrade(data, format);

  const second = await startManual({ data });
  const metadata = async () => (await call(second, "GET", `/v2/tenants/${id}/metadata`)).body;
  expect([await readTenant(second, id), await metadata()]).toMatchObject([{ name: "acme" }, { data: {} }]);
  await sync(second, await install(second));
  await second.advance({ seconds: 10 });
  expect([await readTenant(second, id), await metadata()]).toMatchObject([
    { name: "globex" },
    { data: { plan: "gold" } },
  ]);
  expect((await call(second, "GET", "/v2/runs/7001/status")).body).toEqual({ status: "succeeded" });
  await second.advance({ seconds: 3600 });
  expect(await runsOf(second, scheduled)).toHaveLength(1);
});

test("a file of another format is refused", async () => {
  const data = temporaryDirectory();
  const database = new DatabaseSync(join(data, "emulator.sqlite"));
  database.exec("PRAGMA user_version = 99");
  database.close();
  await expect(startEmulator({ data })).rejects.toThrow(/has the format 99/);
});

test("the error for a taken port names the address", async () => {
  const emulator = await startEmulator();
  const port = Number(new URL(emulator.url).port);
  await expect(startEmulator({ port })).rejects.toThrow(
    new RegExp(`cannot listen on 127.0.0.1:${port}: .*EADDRINUSE.*--port 0 takes a free port`),
  );
});

test("closing twice is the same as closing once", async () => {
  const emulator = await startEmulator();
  await Promise.all([emulator.close(), emulator.close()]);
  await expect(call(emulator, "GET", "/v2/tenants")).rejects.toThrow();
});

test("a manual clock continues at the present of a machine's clock", async () => {
  const data = temporaryDirectory();
  const first = await startEmulator({ data, variants: { visibility: "lagging" } });
  const started = Date.now();
  const id = await createTenant(first);
  await call(first, "POST", "/v2/sourcecontrol/build", { tag: "v9", integration_id: 101 });
  await first.close();

  const second = await startManual({ data });
  await second.advance({ seconds: 60 });
  const { body } = await call(second, "GET", "/_emulator/clock");
  expect(Date.parse(String(Object(body).now))).toBeGreaterThan(started);
  expect(await readTenant(second, id)).toMatchObject({ id });
  expect((await call(second, "GET", "/v2/integrations/101/releases/latest")).body).toMatchObject({ tag: "v9" });
  await second.advance({ seconds: 3600 });
  await second.close();

  await expect(startEmulator({ data })).rejects.toThrow(/manual clock is at .*, in the future: use a manual clock/);
  await startManual({ data });
});

test("a restart keeps changed settings of a database without integrations", async () => {
  const data = temporaryDirectory();
  const seed = { settings: { primary_contact: "a@example.com" }, integrations: [] };
  const first = await startEmulator({ data, seed });
  await call(first, "PATCH", "/_emulator/settings", { primary_contact: "b@example.com" });
  await first.close();
  const second = await startEmulator({ data, seed });
  expect((await call(second, "GET", "/_emulator/settings")).body).toMatchObject({ primary_contact: "b@example.com" });
});
