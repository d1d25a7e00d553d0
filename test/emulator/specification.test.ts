import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import type { Emulator } from "../../src/emulator/index.ts";
import { call, createTenant, install, startEmulator, startManual, sync } from "./running-emulator.ts";

// The fixtures are written by hand from the specification. Tests of the client use them too.

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
  [
    "trigger",
    async (emulator) => (await call(emulator, "POST", `/v2/tenants/${await install(emulator)}/sync?mode=init`)).body,
  ],
  [
    "trigger-status",
    async (emulator) => (await call(emulator, "GET", `/v2/runs/triggers/${await ranTrigger(emulator)}/status`)).body,
  ],
  ["proxy-response", async (emulator) => (await proxy(emulator, "/contacts")).body],
  ["proxy-internal-error", async (emulator) => (await proxy(emulator, "https://elsewhere.example/")).body],
  ["proxy-external-error", async (emulator) => (await proxy(emulator, "/contacts/9")).body],
  ["http-validation-error", async (emulator) => (await call(emulator, "GET", "/v2/integrations/x")).body],
];

async function ranTrigger(emulator: Emulator): Promise<string> {
  const trigger = await sync(emulator, await install(emulator));
  await emulator.advance({ seconds: 1 });
  return trigger;
}

async function proxy(emulator: Emulator, target_url: string) {
  const id = await install(emulator);
  return call(emulator, "POST", `/v2/tenants/${id}/connectors/crm/call`, { method: "GET", target_url });
}

test.each(answers)("%s has the documented fields and no others", async (name, read) => {
  const emulator = await startManual();
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

test.each(["full", "nulls", "minimal"])("takes the documented request to create a build, %s", async (form) => {
  const emulator = await startEmulator();
  const documented = JSON.parse(readFileSync(new URL("../fixtures/spec/create-build.json", import.meta.url), "utf8"));
  expect((await call(emulator, "POST", "/v2/sourcecontrol/build", documented[form])).status).toBe(201);
});

test.each(["full", "list-headers", "nulls", "minimal"])("takes the documented proxy request, %s", async (form) => {
  const emulator = await startEmulator();
  const path = new URL("../fixtures/spec/proxy-rest-request-body.json", import.meta.url);
  const documented = JSON.parse(readFileSync(path, "utf8"))[form];
  const id = await install(emulator);
  const answer = await call(emulator, "POST", `/v2/tenants/${id}/connectors/crm/call`, documented);
  expect(answer.status).not.toBe(422);
});

test("the detail of an external error is a string of JSON with the response under data", async () => {
  const { body } = await proxy(await startEmulator(), "/contacts/9");
  expect(Object.keys(JSON.parse(Object(body).detail))).toEqual(
    Object.keys(JSON.parse(Object(fullFixture("proxy-external-error")).detail)),
  );
});
