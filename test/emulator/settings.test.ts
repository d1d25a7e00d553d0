import { describe, expect, test } from "vitest";
import { createManualClock } from "../../src/emulator/index.ts";
import { events, payloads, settings, startNotifying } from "./notifying-emulator.ts";
import { call, createTenant, startEmulator, startManual } from "./running-emulator.ts";
import { startReceiver } from "./webhook-receiver.ts";

describe("the settings", () => {
  test("have no URL, no subscribers and no webhooks at first", async () => {
    const emulator = await startEmulator();
    const off = { send_webhook: false, subscribers: [] };
    expect((await call(emulator, "GET", "/_emulator/settings")).body).toEqual({
      account: { id: 1, name: "Sandbox account", environment: "sandbox" },
      primary_contact: null,
      webhook_url: null,
      notifications: Object.fromEntries(events.map((event) => [event, off])),
    });
  });

  test("send webhooks only for events that have them on", async () => {
    const receiver = await startReceiver();
    const emulator = await startManual();
    await settings(emulator, { webhook_url: receiver.url, notifications: { tenant_archived: { send_webhook: true } } });
    const id = await createTenant(emulator);
    await call(emulator, "DELETE", `/v2/tenants/${id}`);
    expect(await payloads(emulator, receiver)).toMatchObject([{ event_type: "tenant_archived" }]);
  });

  test("let webhooks be on only while there is a URL", async () => {
    const emulator = await startEmulator();
    const on = { notifications: { run_failed: { send_webhook: true } } };
    expect(await settings(emulator, on)).toMatchObject({
      status: 422,
      body: { detail: [{ loc: ["body", "notifications", "run_failed", "send_webhook"] }] },
    });
    expect(await settings(emulator, { webhook_url: "https://a.example/h", ...on })).toMatchObject({ status: 200 });
    const cleared = await settings(emulator, { webhook_url: null });
    expect(Object(cleared.body).notifications.run_failed).toEqual({ send_webhook: false, subscribers: [] });
  });

  test.each([
    [{ webhook_url: "ftp://a.example" }, ["body", "webhook_url"]],
    [{ webhook_url: "not a URL" }, ["body", "webhook_url"]],
    [{ primary_contact: "nobody" }, ["body", "primary_contact"]],
    [{ notifications: { run_failed: { subscribers: "a@example.com, b" } } }, expect.arrayContaining(["subscribers"])],
    [{ notifications: { run_succeeded: {} } }, expect.arrayContaining(["notifications"])],
  ])("refuse %j", async (change, loc) => {
    const emulator = await startEmulator();
    expect(await settings(emulator, change)).toMatchObject({ status: 422, body: { detail: [{ loc }] } });
  });

  test("name the account and the environment", async () => {
    const receiver = await startReceiver();
    const emulator = await startNotifying(receiver);
    await settings(emulator, { account: { id: 42, name: "Acme Inc", environment: "production" } });
    await createTenant(emulator);
    expect(await payloads(emulator, receiver)).toMatchObject([
      { account_id: 42, account_name: "Acme Inc", environment: "production" },
    ]);
  });
});

describe("e-mails", () => {
  test("go to an event's subscribers, and always to the primary contact, also without a webhook", async () => {
    const emulator = await startEmulator({ clock: createManualClock() });
    await settings(emulator, {
      primary_contact: "boss@example.com",
      notifications: { tenant_created: { subscribers: "a@example.com, b@example.com,boss@example.com" } },
    });
    const id = await createTenant(emulator);
    await call(emulator, "DELETE", `/v2/tenants/${id}`);
    expect(emulator.outbox().map(({ event, to }) => [event, to])).toEqual([
      ["tenant_created", "boss@example.com"],
      ["tenant_created", "a@example.com"],
      ["tenant_created", "b@example.com"],
      ["tenant_archived", "boss@example.com"],
    ]);
    const { body } = await call(emulator, "GET", "/_emulator/outbox?limit=1");
    expect(body).toMatchObject([
      { subject: "[sandbox] tenant_archived", text: expect.stringContaining(`"tenant_id": ${id}`) },
    ]);
    expect(emulator.deliveries()).toEqual([]);
  });
});
