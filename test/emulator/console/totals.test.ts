import { describe, expect, test } from "vitest";
import type { Emulator } from "../../../src/emulator/index.ts";
import { call, createTenant, install, numberAt, startEmulator, startManual, sync } from "../running-emulator.ts";
import { open } from "./console-client.ts";

describe("without tenants", () => {
  test.each(["/console", "/console/tenants"])("%s says how to get some, with this emulator's address", async (path) => {
    const emulator = await startEmulator();
    const text = textOf((await open(emulator, path)).html);
    expect(text).toContain("No tenants yet: run pulumi up");
    expect(text).toContain(`pulumi config set integration-platform:baseUrl ${emulator.url}`);
    await install(emulator);
    expect(textOf((await open(emulator, path)).html)).not.toContain("No tenants yet");
  });

  test("the lists of runs and deliveries say what fills them", async () => {
    const emulator = await startEmulator();
    expect(textOf((await open(emulator, "/console/runs")).html)).toContain("No tenants yet, so nothing can run");
    await install(emulator);
    expect(textOf((await open(emulator, "/console/runs")).html)).toContain("A run starts when a schedule fires");
    expect(textOf((await open(emulator, "/console/deliveries")).html)).toContain(
      "None will be sent: set a webhook URL",
    );
  });

  test("the list of requests gives the address", async () => {
    const emulator = await startEmulator();
    const { html } = await open(emulator, "/console/requests");
    expect(textOf(html)).toContain(`No requests yet. Clients send them to ${emulator.url}.`);
  });
});

test("an archived tenant is a tenant: the page then offers the filter, not the first steps", async () => {
  const emulator = await startEmulator();
  const id = await install(emulator);
  await call(emulator, "DELETE", `/v2/tenants/${id}`);
  const text = textOf((await open(emulator, "/console/tenants")).html);
  expect(text).not.toContain("No tenants yet");
  expect(text).toContain("0 live tenants (0 connected, 0 paused, 0 running), 1 archived.");
});

test("the overview counts tenants by their state, runs and requests", async () => {
  const emulator = await startManual();
  await fill(emulator);
  await call(emulator, "GET", "/v2/tenants/404404/metadata");
  const text = textOf((await open(emulator, "/console")).html);
  expect(text).toContain("4 Tenants 3 connected · 3 paused · 1 running · 1 archived");
  expect(text).toContain("4 Integrations");
  expect(text).toContain("2 Runs 1 running · 0 pending");
  expect(text).toMatch(/\b(\d+) Requests to the API 1 refused or failed/);
  const [, shown = ""] = /(\d+) Requests to the API/.exec(text) ?? [];
  expect(Number(shown)).toBe(emulator.requests().length);
});

test("the overview says how many variants and faults are not as by default", async () => {
  const emulator = await startEmulator();
  expect(textOf((await open(emulator, "/console")).html)).toContain("Variants all as by default Faults none pending");
  emulator.setVariants({ configs: "merge", names: "unique" });
  emulator.fault({ kind: "html" });
  expect(textOf((await open(emulator, "/console")).html)).toContain("Variants 2 not as by default Faults 1 pending");
});

test("the list of tenants counts what the filter selects, and all pages of it", async () => {
  const emulator = await startEmulator();
  await Promise.all(Array.from({ length: 101 }, (_, index) => createTenant(emulator, { name: `acme-${index}` })));
  await install(emulator, { name: "zebra" });
  const text = async (query: string) => textOf((await open(emulator, `/console/tenants${query}`)).html);
  expect(await text("")).toContain("102 live tenants (1 connected, 101 paused, 0 running), 0 archived.");
  expect(await text("?q=acme")).toContain("The filter selects 101.");
  expect(await text("?q=acme&page=3")).toMatch(/← Previous Page 3 of 3 (?!Next)/);
  expect(await text("?page=1")).toContain("Page 1 of 3 Next →");
  expect(await text("?q=zebra")).toContain("The filter selects 1.");
  expect(await text("?q=nobody")).toContain("No tenant matches the filter. Show all live tenants");
  expect(await text("?page=9")).toContain("This page is empty. Show all live tenants");
});

test("the list of integrations counts the live tenants of each", async () => {
  const emulator = await startManual();
  await fill(emulator);
  const { html } = await open(emulator, "/console/integrations");
  const counts = [...html.matchAll(/href="\/console\/tenants\?integration=(\d+)">(\d+)</g)].map(([, id, count]) => [
    id,
    count,
  ]);
  expect(Object.fromEntries(counts)).toMatchObject({ 101: "3", 102: "0", 103: "0" });
  expect(textOf(html)).toContain("4 integrations");
});

test("the list of requests shows what clients sent, without bodies, and without what people did in the console", async () => {
  const emulator = await startEmulator();
  await createTenant(emulator, { name: "acme", configs: { api_token: "very-secret-token" } });
  emulator.fault({ kind: "status", status: 503 });
  await call(emulator, "GET", "/v2/tenants?limit=7&skip=1");
  const { html } = await open(emulator, "/console/requests");
  const text = textOf(html);
  expect(text).toMatch(/GET \/v2\/tenants limit=7&amp;skip=1 503 status .* POST \/v2\/tenants – 200 –/);
  expect(html).not.toContain("very-secret-token");
});

test("the list of requests has the newest 100, and says how many there are", async () => {
  const emulator = await startEmulator();
  for (let count = 1; count <= 130; count++) await call(emulator, "GET", `/v2/number-${count}`);
  const { html } = await open(emulator, "/console/requests");
  expect(textOf(html)).toContain("The newest 100 of 130 requests");
  const paths = [...html.matchAll(/\/v2\/number-(\d+)/g)].map(([, number]) => Number(number));
  expect([paths.length, paths[0], paths.at(-1)]).toEqual([100, 130, 31]);
});

test("the list of webhooks shows their URL without the token", async () => {
  const emulator = await startEmulator();
  const notifications = { tenant_created: { send_webhook: true } };
  const webhook_url = "http://127.0.0.1:9/hook?token=very-secret-token";
  await call(emulator, "PATCH", "/_emulator/settings", { webhook_url, notifications });
  await install(emulator);
  const { html } = await open(emulator, "/console/deliveries");
  expect(textOf(html)).toMatch(/1 webhook .* http:\/\/127\.0\.0\.1:9\/hook\?… /);
  expect(html).not.toContain("very-secret-token");
});

/**
 * Five tenants of two integrations: one is running, three are paused, and one is archived. The one of `feed` needs no
 * connection. A run has ended.
 */
async function fill(emulator: Emulator): Promise<void> {
  const running = await install(emulator, { name: "running" });
  const paused = await install(emulator, { name: "paused" });
  await sync(emulator, paused);
  await emulator.advance({ seconds: 60 });
  await call(emulator, "PATCH", `/v2/tenants/${paused}`, { paused: true });
  const neverResumed = await createTenant(emulator, { name: "not-connected" });
  await call(emulator, "PATCH", `/_emulator/tenants/${neverResumed}`, { paused: null });
  const archived = await install(emulator, { name: "archived" });
  await call(emulator, "DELETE", `/v2/tenants/${archived}`);
  const feed = { name: "feed", connectors: [{ name: "rates", isGlobal: true }] };
  const { body } = await call(emulator, "POST", "/_emulator/integrations", feed);
  await createTenant(emulator, { name: "needs-no-connection", integration_id: numberAt(body, "id") });
  await sync(emulator, running);
  await emulator.advance({ seconds: 2 });
}

function textOf(html: string): string {
  const [, main = ""] = /<main[^>]*>([\s\S]*)<\/main>/.exec(html) ?? [];
  return main
    .replace(/<[^>]+>/g, " ")
    .replace(/\s+/g, " ")
    .replace(/ ([.,])/g, "$1");
}
