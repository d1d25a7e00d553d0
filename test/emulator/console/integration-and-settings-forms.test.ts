import { describe, expect, test } from "vitest";
import { call, install, numberAt, startEmulator, startManual } from "../running-emulator.ts";
import { open, send } from "./console-client.ts";

describe("a page of integrations", () => {
  test("adds an integration, which is an event", async () => {
    const emulator = await startEmulator();
    await send(emulator, "/console/settings/notifications", { primary_contact: "ops@example.com" });
    const fields = { name: "erp", connectors: "erp, shop", global_connectors: "rates", default_schedule: "0 4 * * *" };
    await send(emulator, "/console/integrations", fields);
    const { body } = await call(emulator, "GET", "/v2/integrations?sort_by=id__DESC&limit=1");
    expect(body).toMatchObject([
      {
        name: "erp",
        connectors: [
          { name: "erp", isGlobal: false },
          { name: "shop", isGlobal: false },
          { name: "rates", isGlobal: true },
        ],
      },
    ]);
    expect(emulator.outbox()).toMatchObject([{ event: "integration_created", to: "ops@example.com" }]);
    const again = await send(emulator, "/console/integrations", fields);
    expect(again.status).toBe(422);
    expect(again.html).toContain("There is already an integration &quot;erp&quot;");
  });

  test("requests a build, which becomes a release", async () => {
    const emulator = await startManual();
    await send(emulator, "/console/integrations/101/builds", { tag: "v9.0.0" });
    await emulator.advance({ seconds: 5 });
    expect((await call(emulator, "GET", "/v2/integrations/101/releases/latest")).body).toMatchObject({ tag: "v9.0.0" });
  });

  test("adds a release and makes it the default", async () => {
    const emulator = await startEmulator();
    const config_schema = '{"type": "object", "required": ["region"]}';
    await send(emulator, "/console/integrations/101/releases", { name: "added-by-hand", tag: "v3", config_schema });
    const { body } = await call(emulator, "GET", "/v2/integrations/101/releases/latest");
    expect(body).toMatchObject({ name: "added-by-hand", tag: "v3", config_schema: { required: ["region"] } });
    await send(emulator, `/console/integrations/101/releases/${numberAt(body, "id")}/default`);
    expect((await call(emulator, "GET", "/v2/integrations/101/releases/default")).body).toEqual(body);
    expect((await open(emulator, "/console/integrations/101")).html).toContain("&quot;required&quot;");
  });

  test("changes an integration as a partner, which is an event", async () => {
    const emulator = await startEmulator();
    await send(emulator, "/console/settings/notifications", { primary_contact: "ops@example.com" });
    const fields = { partner_id: "7", partner_name: "Partner Ltd", long_name: "New name", default_schedule: "" };
    await send(emulator, "/console/integrations/101/partner-changes", fields);
    expect((await call(emulator, "GET", "/v2/integrations/101")).body).toMatchObject({ long_name: "New name" });
    expect(emulator.outbox()[0]?.text).toContain("Partner Ltd");
    const refused = await send(emulator, "/console/integrations/101/partner-changes", { ...fields, partner_id: "x" });
    expect(refused.status).toBe(422);
  });
});

describe("on the settings pages", () => {
  test("creates an API key, which works until it is revoked", async () => {
    const emulator = await startEmulator();
    const { html } = await send(emulator, "/console/settings/api-keys", { name: "ci" });
    const [, key = ""] = /data-secret>([\w-]+)</.exec(html) ?? [];
    const useKey = () => call(emulator, "GET", "/v2/tenants", undefined, { "x-api-key": key });
    expect((await useKey()).status).toBe(200);
    const { body } = await call(emulator, "GET", "/_emulator/api-keys");
    const id = Array.isArray(body) ? numberAt(body.at(-1), "id") : 0;
    await send(emulator, `/console/settings/api-keys/${id}/revoke`);
    expect((await useKey()).status).toBe(403);
    expect((await send(emulator, "/console/settings/api-keys", { name: " " })).status).toBe(422);
  });

  test("sets notifications; removing the URL turns all webhooks off", async () => {
    const emulator = await startEmulator();
    const fields = {
      webhook_url: "http://127.0.0.1:9/hook?token=t",
      primary_contact: "ops@example.com",
      "run_failed.send_webhook": "on",
      "run_failed.subscribers": "a@example.com, b@example.com",
    };
    await send(emulator, "/console/settings/notifications", fields);
    const settings = async () => (await call(emulator, "GET", "/_emulator/settings")).body;
    expect(await settings()).toMatchObject({
      webhook_url: fields.webhook_url,
      primary_contact: "ops@example.com",
      notifications: {
        run_failed: { send_webhook: true, subscribers: ["a@example.com", "b@example.com"] },
        tenant_created: { send_webhook: false, subscribers: [] },
      },
    });
    await send(emulator, "/console/settings/notifications", { ...fields, webhook_url: "" });
    expect(await settings()).toMatchObject({
      webhook_url: null,
      notifications: { run_failed: { send_webhook: false } },
    });
    for (const wrong of [
      { webhook_url: "ftp://x" },
      { primary_contact: "nobody" },
      { "run_failed.subscribers": "a" },
    ]) {
      expect((await send(emulator, "/console/settings/notifications", { ...wrong })).status).toBe(422);
    }
  });

  test("the page of deliveries shows webhooks with their outcomes, and e-mails", async () => {
    const emulator = await startEmulator();
    const fields = {
      webhook_url: "http://127.0.0.1:9/hook",
      "tenant_created.send_webhook": "on",
      "tenant_created.subscribers": "a@example.com",
    };
    await send(emulator, "/console/settings/notifications", fields);
    await install(emulator, { name: "notified-tenant" });
    await emulator.settled();
    const { html } = await open(emulator, "/console/deliveries");
    expect(html).toContain("http://127.0.0.1:9/hook");
    expect(html).toContain("unreachable");
    expect(html).toContain("notified-tenant");
    expect(html).toContain("a@example.com");
  });
});
