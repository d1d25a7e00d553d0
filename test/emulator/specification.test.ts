import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import type { Emulator } from "../../src/emulator/index.ts";
import { call, createTenant, startEmulator } from "./running-emulator.ts";

// Fixtures written from the specification by hand; client and emulator are both held to them.

function fullFixture(name: string): unknown {
  const path = new URL(`../fixtures/spec/${name}.json`, import.meta.url);
  return JSON.parse(readFileSync(path, "utf8")).full;
}

function fields(value: unknown): string[] {
  return Object.keys(Object(value)).sort();
}

const answers: [string, (emulator: Emulator, tenantId: number) => Promise<unknown>][] = [
  ["integration", async (emulator) => (await call(emulator, "GET", "/v2/integrations/101")).body],
  ["integration-release", async (emulator) => (await call(emulator, "GET", "/v2/integrations/101/releases/901")).body],
  ["tenant", async (emulator) => Object((await call(emulator, "GET", "/v2/tenants")).body)[0]],
  ["tenant-status", async (emulator) => Object((await call(emulator, "GET", "/v2/tenants")).body)[0].status],
  ["tenant-auth-status", async (emulator) => Object((await call(emulator, "GET", "/v2/tenants")).body)[0].status.auth],
  ["tenant-metadata", async (emulator, id) => (await call(emulator, "GET", `/v2/tenants/${id}/metadata`)).body],
  ["error-message", async (emulator) => (await call(emulator, "GET", "/v2/integrations/1")).body],
  ["http-validation-error", async (emulator) => (await call(emulator, "GET", "/v2/integrations/x")).body],
];

test.each(answers)("%s has the documented fields and no others", async (name, read) => {
  const emulator = await startEmulator();
  const id = await createTenant(emulator);
  expect(fields(await read(emulator, id))).toEqual(fields(fullFixture(name)));
});

test("a ValidationError has the documented fields", async () => {
  const emulator = await startEmulator();
  const { body } = await call(emulator, "GET", "/v2/tenants?limit=900");
  const documented = Object(fullFixture("http-validation-error")).detail[0];
  expect(fields(Object(body).detail[0])).toEqual(fields(documented));
});

test("takes the documented request to create a tenant", async () => {
  const emulator = await startEmulator();
  const documented = Object(fullFixture("create-tenant"));
  const known = {
    ...documented,
    integration_id: 101,
    integration_release_id: 901,
    integration_release_channel: null,
    configs: {},
  };
  expect((await call(emulator, "POST", "/v2/tenants", known)).status).toBe(200);
});
