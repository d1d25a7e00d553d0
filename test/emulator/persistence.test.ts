import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { expect, onTestFinished, test } from "vitest";
import { call, createTenant, readTenant, startEmulator } from "./running-emulator.ts";

function temporaryDirectory(): string {
  const directory = mkdtempSync(join(tmpdir(), "emulator-"));
  onTestFinished(() => rmSync(directory, { recursive: true }));
  return directory;
}

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

test("a reset of kept state goes back to the seed", async () => {
  const data = temporaryDirectory();
  const emulator = await startEmulator({ data });
  await createTenant(emulator);
  await emulator.reset();
  await emulator.close();
  expect((await call(await startEmulator({ data }), "GET", "/v2/tenants")).body).toEqual([]);
});

test("nothing is written anywhere without a data directory", async () => {
  const before = readdirSync(process.cwd());
  await createTenant(await startEmulator());
  expect(readdirSync(process.cwd())).toEqual(before);
});

test("a file of another format is refused", async () => {
  const data = temporaryDirectory();
  const database = new DatabaseSync(join(data, "emulator.sqlite"));
  database.exec("PRAGMA user_version = 99");
  database.close();
  await expect(startEmulator({ data })).rejects.toThrow(/has the format 99/);
});

test("a port that is taken is a clear error", async () => {
  const emulator = await startEmulator();
  const port = Number(new URL(emulator.url).port);
  await expect(startEmulator({ port })).rejects.toThrow(`cannot listen on 127.0.0.1:${port}`);
});

test("closing twice is closing", async () => {
  const emulator = await startEmulator();
  await Promise.all([emulator.close(), emulator.close()]);
  await expect(call(emulator, "GET", "/v2/tenants")).rejects.toThrow();
});
