import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { describe, expect, test } from "vitest";
import { events, payloads, settings, startNotifying } from "./notifying-emulator.ts";
import {
  call,
  createTenant,
  install,
  startEmulator,
  startManual,
  sync,
  temporaryDirectory,
} from "./running-emulator.ts";
import { startReceiver } from "./webhook-receiver.ts";

const patiently = { timeout: 10_000 };

const common = {
  environment: "sandbox",
  account_id: 1,
  account_name: "Sandbox account",
  timestamp: "2026-06-01T00:00:00.000Z",
};
const acme = { tenant_id: 5001, tenant_name: "acme", integration_id: 101, integration_name: "CRM to billing" };

describe("the event", () => {
  test("new_integration_created is caused by a new integration in the console", async () => {
    const receiver = await startReceiver();
    const emulator = await startNotifying(receiver);
    await call(emulator, "POST", "/_emulator/integrations", { name: "a-to-b", long_name: "A to B" });
    expect(await payloads(emulator, receiver)).toEqual([
      { event_type: "new_integration_created", ...common, integration_id: 104, integration_name: "A to B" },
    ]);
  });

  test("new_tenant_created is caused by POST and by an install", async () => {
    const receiver = await startReceiver();
    const emulator = await startNotifying(receiver);
    await createTenant(emulator);
    await install(emulator);
    const event = { event_type: "new_tenant_created", ...common, ...acme };
    expect(await payloads(emulator, receiver)).toEqual([event, { ...event, tenant_id: 5002 }]);
  });

  test("tenant_archived is caused by DELETE and by archiving in the console, once each", async () => {
    const receiver = await startReceiver();
    const emulator = await startNotifying(receiver);
    const first = await createTenant(emulator);
    const second = await createTenant(emulator);
    await call(emulator, "DELETE", `/v2/tenants/${first}`);
    await call(emulator, "DELETE", `/v2/tenants/${first}`);
    await call(emulator, "PATCH", `/_emulator/tenants/${second}`, { archived: true });
    await call(emulator, "PATCH", `/_emulator/tenants/${second}`, { archived: true });
    const event = { event_type: "tenant_archived", ...common, ...acme };
    expect((await payloads(emulator, receiver)).slice(2)).toEqual([event, { ...event, tenant_id: second }]);
  });

  test("partner_integration_updated is caused by a partner's change, not by an administrator's", async () => {
    const receiver = await startReceiver();
    const emulator = await startNotifying(receiver);
    await call(emulator, "PATCH", "/_emulator/integrations/101", { long_name: "Ours" });
    const body = { partner: { id: 7, name: "Partner Inc" }, change: { long_name: "Theirs" } };
    expect((await call(emulator, "POST", "/_emulator/integrations/101/partner-changes", body)).status).toBe(200);
    expect(await payloads(emulator, receiver)).toEqual([
      {
        event_type: "partner_integration_updated",
        ...common,
        integration_id: 101,
        integration_name: "Theirs",
        partner_id: 7,
        partner_name: "Partner Inc",
      },
    ]);
    expect((await call(emulator, "GET", "/v2/integrations/101")).body).toMatchObject({ long_name: "Theirs" });
  });

  test("run_failed is caused by a failed run, and its links work", async () => {
    const receiver = await startReceiver();
    const emulator = await startNotifying(receiver, { variants: { statusWords: "capitalized" } });
    const id = await install(emulator, { runs: { outcome: ["succeed", "fail"], log: ["<b>"] } });
    for (let count = 0; count < 2; count++) {
      await sync(emulator, id);
      await emulator.advance({ seconds: 6 });
    }
    const [, failed, ...others] = await payloads(emulator, receiver);
    expect(others).toEqual([]);
    const { admin_link, api_link, api_status_link, api_triggers_link, ...fields } = Object(failed);
    const timestamp = "2026-06-01T00:00:12.000Z";
    const event_type = "run_failed";
    expect(fields).toEqual({ event_type, ...common, timestamp, run_id: 7002, run_status: "Failed", ...acme });

    const headers = { "x-api-key": emulator.apiKey };
    const read = async (link: string) => (await fetch(link, { headers })).json();
    expect(await read(api_link)).toMatchObject({ id: 7002, tenant_id: id });
    expect(await read(api_status_link)).toEqual({ status: "Failed" });
    expect(await read(api_triggers_link)).toMatchObject([{ source: "api" }]);
    const page = await fetch(admin_link);
    expect(page.headers.get("content-type")).toMatch(/^text\/html/);
    expect(await page.text()).toMatch(/<h1>Run 7002<.*>Failed<.*INFO &lt;b&gt;\n.*ERROR/s);
  });

  test("has no other cause: not the seed, a failed request, a change or a successful run", async () => {
    const receiver = await startReceiver();
    const notifications = Object.fromEntries(events.map((event) => [event, { send_webhook: true }]));
    const emulator = await startManual({
      seed: {
        settings: { webhook_url: receiver.url, notifications },
        integrations: [{ id: 101, name: "one" }],
        tenants: [{ id: 1, integration: 101, name: "acme", paused: false, status: { auth: { connected: true } } }],
      },
    });
    await call(emulator, "POST", "/v2/tenants", { name: "Not A Name", integration_id: 101 });
    await call(emulator, "PATCH", "/v2/tenants/1", { name: "globex" });
    await sync(emulator, 1);
    await emulator.advance({ seconds: 60 });
    await emulator.reset();
    expect(await payloads(emulator, receiver)).toEqual([]);
  });
});

describe("a delivery", () => {
  test("is one POST of JSON without authentication, to exactly the webhook URL", async () => {
    const receiver = await startReceiver();
    const emulator = await startNotifying(receiver);
    await createTenant(emulator);
    await emulator.settled();
    expect(receiver.received).toMatchObject([
      { method: "POST", url: "/hook?token=t0ken", headers: { "content-type": "application/json" } },
    ]);
    const names = Object.keys(receiver.received[0]?.headers ?? {});
    expect(names.filter((name) => /authorization|cookie|key|signature/.test(name))).toEqual([]);
    expect(emulator.deliveries()).toMatchObject([
      {
        event: "tenant_created",
        url: receiver.url,
        outcome: "delivered",
        status: 200,
        milliseconds: expect.any(Number),
      },
    ]);
    expect((await call(emulator, "GET", "/_emulator/deliveries")).body).toEqual(emulator.deliveries());
  });

  test.each([
    [204, "delivered"],
    [301, "refused"],
    [404, "refused"],
    [500, "refused"],
  ] as const)("answered with %i is %s, and not repeated", async (status, outcome) => {
    const receiver = await startReceiver((response) => response.writeHead(status, { location: "/other" }).end());
    const emulator = await startNotifying(receiver);
    await createTenant(emulator);
    await emulator.advance({ seconds: 86_400 });
    await emulator.settled();
    expect(emulator.deliveries()).toMatchObject([{ outcome, status }]);
    expect(receiver.received).toHaveLength(1);
  });

  test("has the outcome unreachable or timeout when nobody answers, and is not repeated", async () => {
    const receiver = await startReceiver(() => undefined);
    const emulator = await startNotifying({ url: "http://127.0.0.1:1/" }, { webhookTimeoutSeconds: 0.5 });
    await createTenant(emulator);
    await emulator.settled();
    await settings(emulator, { webhook_url: receiver.url });
    await createTenant(emulator);
    await emulator.settled();
    expect(emulator.deliveries()).toMatchObject([
      { outcome: "unreachable", status: null },
      { outcome: "timeout", status: null },
    ]);
    expect(receiver.received).toHaveLength(1);
  });

  test("delays no response of the API, and later deliveries keep their order", async () => {
    const waiting: (() => void)[] = [];
    const receiver = await startReceiver((response, number) => {
      if (number === 1) waiting.push(() => response.end());
      else response.end();
    });
    const emulator = await startNotifying(receiver);
    const created = [await createTenant(emulator), await createTenant(emulator), await createTenant(emulator)];
    await expect.poll(() => waiting.length, patiently).toBe(1);
    expect(emulator.deliveries().map(({ outcome }) => outcome)).toEqual(["sending", "pending", "pending"]);
    waiting[0]?.();
    await emulator.settled();
    expect(receiver.received.map(({ payload }) => Object(payload).tenant_id)).toEqual(created);
  });

  test("is interrupted by the end of the emulator and not repeated; pending ones are sent at the next start", async () => {
    const receiver = await startReceiver(() => undefined);
    const data = temporaryDirectory();
    const first = await startNotifying(receiver, { data });
    await createTenant(first);
    await createTenant(first);
    await expect.poll(() => receiver.received.length, patiently).toBe(1);
    await first.close();
    const second = await startEmulator({ data, clock: "manual", webhookTimeoutSeconds: 0.05 });
    await second.settled();
    expect(second.deliveries().map(({ outcome }) => outcome)).toEqual(["interrupted", "timeout"]);
    expect(receiver.received).toHaveLength(2);
  });

  test("is never dropped before it is sent, however many events follow", async () => {
    const waiting: (() => void)[] = [];
    let isAnswering = false;
    const receiver = await startReceiver((response) => {
      if (isAnswering) response.end();
      else waiting.push(() => response.end());
    });
    const data = temporaryDirectory();
    const first = await startNotifying(receiver, { data });
    for (let count = 0; count < 3; count++) await createTenant(first);
    await expect.poll(() => waiting.length, patiently).toBe(1);
    await first.close();
    const database = new DatabaseSync(join(data, "emulator.sqlite"));
    database.exec("UPDATE sqlite_sequence SET seq = 20000 WHERE name = 'deliveries'");
    database.close();

    const second = await startEmulator({ data, clock: "manual" });
    await createTenant(second);
    await expect.poll(() => waiting.length, patiently).toBe(2);
    expect(second.deliveries().map(({ id, outcome }) => [id, outcome])).toEqual([
      [2, "sending"],
      [3, "pending"],
      [20_001, "pending"],
    ]);
    isAnswering = true;
    waiting[1]?.();
    await second.settled();
    expect(second.deliveries().map(({ outcome }) => outcome)).toEqual(["delivered", "delivered", "delivered"]);
    expect(receiver.received).toHaveLength(4);
  });
});
