import { describe, expect, test } from "vitest";
import type { Emulator } from "../../../src/emulator/index.ts";
import {
  call,
  createTenant,
  install,
  numberAt,
  readTenant,
  runsOf,
  startEmulator,
  startManual,
} from "../running-emulator.ts";
import { open, send } from "./console-client.ts";

describe("on a tenant's page", () => {
  test("pause and resume", async () => {
    const { emulator, id, act } = await tenant();
    expect((await act("pause")).html).toContain("The tenant is paused.");
    expect(await readTenant(emulator, id)).toMatchObject({ paused: true });
    await act("resume");
    expect(await readTenant(emulator, id)).toMatchObject({ paused: false });
  });

  test("disconnect and connect each connector", async () => {
    const { emulator, id, act } = await tenant();
    await act("connectors/crm/disconnect");
    expect(await readTenant(emulator, id)).toMatchObject({
      status: {
        auth: {
          connected: false,
          connectors: [
            { name: "crm", status: "disconnected" },
            { name: "billing", status: "connected" },
          ],
        },
      },
    });
    await act("connectors/crm/connect");
    expect(await readTenant(emulator, id)).toMatchObject({ status: { auth: { connected: true } } });
  });

  test("a global connector cannot be touched", async () => {
    const { act } = await tenant();
    const answer = await act("connectors/exchange-rates/disconnect");
    expect(answer.status).toBe(422);
    expect(answer.html).toContain("has no connector &quot;exchange-rates&quot; of its own");
  });

  test("the schedule, back to the integration's, and a wrong one", async () => {
    const { emulator, id, act } = await tenant();
    await act("schedule", { user_schedule: "*/15 * * * *" });
    expect(await readTenant(emulator, id)).toMatchObject({ user_schedule: "*/15 * * * *" });
    const refused = await act("schedule", { user_schedule: "every day" });
    expect(refused.status).toBe(422);
    expect(refused.html).toContain("user_schedule: must be a valid cron string");
    expect(refused.html).toContain('value="every day"');
    await act("schedule", { user_schedule: "" });
    expect(await readTenant(emulator, id)).toMatchObject({ user_schedule: null });
  });

  test("the release, by id and by channel", async () => {
    const { emulator, id, act } = await tenant();
    await act("release", { release: "902" });
    expect(await readTenant(emulator, id)).toMatchObject({
      integration_release_id: 902,
      integration_release_channel: null,
    });
    await act("release", { release: "Latest" });
    expect(await readTenant(emulator, id)).toMatchObject({ integration_release_channel: "Latest" });
    expect((await act("release", { release: "31337" })).status).toBe(422);
  });

  test("configs: what is deleted in the text is gone, a masked secret stays", async () => {
    const { emulator, id, act } = await tenant({ configs: { region: "eu", api_token: "s3cret", batch_size: 5 } });
    const { html } = await open(emulator, `/console/tenants/${id}`);
    expect(html).not.toContain("s3cret");
    await act("configs", { configs: '{"region": "us", "api_token": "***"}' });
    expect((await call(emulator, "GET", `/_emulator/tenants/${id}`)).body).toMatchObject({
      configs: { region: "us", api_token: "s3cret" },
    });
    expect(await readTenant(emulator, id)).not.toHaveProperty("configs.batch_size");
  });

  test.each([
    ["{", "must be a JSON object"],
    ["[]", "must be a JSON object"],
    ['{"region": "mars"}', "configs.region"],
  ])("configs like %s are refused beside the form, and kept in it", async (configs, problem) => {
    const { emulator, id, act } = await tenant({ configs: { region: "eu" } });
    const answer = await act("configs", { configs });
    expect(answer.status).toBe(422);
    expect(answer.html).toContain('role="alert"');
    expect(answer.html).toContain(problem);
    expect(answer.html).toContain(`\n${configs.replaceAll('"', "&quot;")}</textarea>`);
    expect(await readTenant(emulator, id)).toMatchObject({ configs: { region: "eu" } });
  });

  test("metadata", async () => {
    const { emulator, id, act } = await tenant({ metadata: { plan: "gold", seats: 3 } });
    await act("metadata", { metadata: '{"plan": "silver"}' });
    expect((await call(emulator, "GET", `/v2/tenants/${id}/metadata`)).body).toMatchObject({
      data: { plan: "silver" },
    });
    expect((await act("metadata", { metadata: '{"seats": "many"}' })).status).toBe(422);
  });

  test("a sync, which runs and shows its log", async () => {
    const { emulator, id, act } = await tenant();
    await act("sync", { mode: "init" });
    await emulator.advance({ seconds: 60 });
    const [run] = await runsOf(emulator, id);
    expect(run).toMatchObject({ mode: "init", status: { phase: "succeeded" }, triggers: [{ source: "console" }] });
    const { html } = await open(emulator, `/console/runs/${numberAt(run, "id")}`);
    expect(html).toContain("reading contacts");
  });

  test("a sync of an unconnected tenant is refused", async () => {
    const { act } = await tenant();
    await act("connectors/crm/disconnect");
    const answer = await act("sync", { mode: "normal" });
    expect(answer.status).toBe(422);
    expect(answer.html).toContain("is not connected");
  });

  test("archive, and bring back", async () => {
    const { emulator, id, act } = await tenant();
    await act("archive");
    expect(await readTenant(emulator, id)).toMatchObject({ archived: true });
    expect((await act("pause")).status).toBe(422);
    await act("bring-back");
    expect(await readTenant(emulator, id)).toMatchObject({ archived: false });
  });

  test("the next five times of the schedule, in UTC", async () => {
    const { emulator, id } = await tenant({ user_schedule: "30 */6 * * *" });
    const { html } = await open(emulator, `/console/tenants/${id}`);
    const list = /<ol class="times"[\s\S]*?<\/ol>/.exec(html)?.[0] ?? "";
    expect([...list.matchAll(/datetime="([^"]+)"/g)].map(([, time]) => time)).toEqual([
      "2026-06-01T00:30:00.000Z",
      "2026-06-01T06:30:00.000Z",
      "2026-06-01T12:30:00.000Z",
      "2026-06-01T18:30:00.000Z",
      "2026-06-02T00:30:00.000Z",
    ]);
  });
});

describe("the list of tenants", () => {
  test("is filtered by a part of the name, by integration and by being archived", async () => {
    const emulator = await startEmulator();
    await install(emulator, { name: "north-acme" });
    await install(emulator, { name: "south" });
    const archived = await install(emulator, { name: "old-acme" });
    await call(emulator, "DELETE", `/v2/tenants/${archived}`);
    expect(await names(emulator, "?q=ACME")).toEqual(["north-acme"]);
    expect(await names(emulator, "?q=acme&archived=yes")).toEqual(["old-acme"]);
    expect(await names(emulator, "?archived=both")).toEqual(["north-acme", "old-acme", "south"]);
    expect(await names(emulator, "?integration=102")).toEqual([]);
    expect(await names(emulator, "?q=%25")).toEqual([]);
  });

  test("has pages", async () => {
    const emulator = await startEmulator();
    for (let number = 101; number <= 151; number++) await createTenant(emulator, { name: `tenant-${number}` });
    expect(await names(emulator, "")).toHaveLength(50);
    expect((await open(emulator, "/console/tenants")).html).toContain("page=2");
    expect(await names(emulator, "?page=2")).toEqual(["tenant-151"]);
  });

  test("installs one", async () => {
    const emulator = await startEmulator();
    const { html } = await send(emulator, "/console/tenants", { integration: "101", name: "acme", user_name: "u-1" });
    expect(html).toContain("acme was installed.");
    expect((await call(emulator, "GET", "/v2/tenants?user_name=u-1")).body).toMatchObject([
      { name: "acme", source: "marketplace", paused: false },
    ]);
  });
});

describe("on the pages of integrations", () => {
  test("one is made, which is an event", async () => {
    const emulator = await startEmulator();
    await send(emulator, "/console/settings/notifications", { primary_contact: "ops@example.com" }, notifications);
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
    expect(again.html).toContain("there is an integration &quot;erp&quot; already");
  });

  test("a build becomes a release", async () => {
    const emulator = await startManual();
    await send(emulator, "/console/integrations/101/builds", { tag: "v9.0.0" });
    await emulator.advance({ seconds: 5 });
    expect((await call(emulator, "GET", "/v2/integrations/101/releases/latest")).body).toMatchObject({ tag: "v9.0.0" });
  });

  test("a release is added, and made the default", async () => {
    const emulator = await startEmulator();
    const config_schema = '{"type": "object", "required": ["region"]}';
    await send(emulator, "/console/integrations/101/releases", { name: "hand-made", tag: "v3", config_schema });
    const { body } = await call(emulator, "GET", "/v2/integrations/101/releases/latest");
    expect(body).toMatchObject({ name: "hand-made", tag: "v3", config_schema: { required: ["region"] } });
    await send(emulator, `/console/integrations/101/releases/${numberAt(body, "id")}/default`);
    expect((await call(emulator, "GET", "/v2/integrations/101/releases/default")).body).toEqual(body);
    expect((await open(emulator, "/console/integrations/101")).html).toContain("&quot;required&quot;");
  });

  test("a partner's change is an event", async () => {
    const emulator = await startEmulator();
    await send(emulator, "/console/settings/notifications", { primary_contact: "ops@example.com" }, notifications);
    const fields = { partner_id: "7", partner_name: "Partner Ltd", long_name: "New name", default_schedule: "" };
    await send(emulator, "/console/integrations/101/partner-changes", fields);
    expect((await call(emulator, "GET", "/v2/integrations/101")).body).toMatchObject({ long_name: "New name" });
    expect(emulator.outbox()[0]?.text).toContain("Partner Ltd");
    const refused = await send(emulator, "/console/integrations/101/partner-changes", { ...fields, partner_id: "x" });
    expect(refused.status).toBe(422);
  });
});

describe("in the settings", () => {
  test("a key is made, works, and is revoked", async () => {
    const emulator = await startEmulator();
    const { html } = await send(emulator, "/console/settings/api-keys", { name: "ci" });
    const [, key = ""] = /data-secret>([\w-]+)</.exec(html) ?? [];
    const asked = () => call(emulator, "GET", "/v2/tenants", undefined, { "x-api-key": key });
    expect((await asked()).status).toBe(200);
    const { body } = await call(emulator, "GET", "/_emulator/api-keys");
    const id = Array.isArray(body) ? numberAt(body.at(-1), "id") : 0;
    await send(emulator, `/console/settings/api-keys/${id}/revoke`);
    expect((await asked()).status).toBe(403);
    expect((await send(emulator, "/console/settings/api-keys", { name: " " })).status).toBe(422);
  });

  test("notifications are set, and a URL that is taken away turns every toggle off", async () => {
    const emulator = await startEmulator();
    const fields = {
      webhook_url: "http://127.0.0.1:9/hook?token=t",
      primary_contact: "ops@example.com",
      "run_failed.send_webhook": "on",
      "run_failed.subscribers": "a@example.com, b@example.com",
    };
    await send(emulator, "/console/settings/notifications", fields, notifications);
    const settings = async () => (await call(emulator, "GET", "/_emulator/settings")).body;
    expect(await settings()).toMatchObject({
      webhook_url: fields.webhook_url,
      primary_contact: "ops@example.com",
      notifications: {
        run_failed: { send_webhook: true, subscribers: ["a@example.com", "b@example.com"] },
        tenant_created: { send_webhook: false, subscribers: [] },
      },
    });
    await send(emulator, "/console/settings/notifications", { ...fields, webhook_url: "" }, notifications);
    expect(await settings()).toMatchObject({
      webhook_url: null,
      notifications: { run_failed: { send_webhook: false } },
    });
    for (const wrong of [
      { webhook_url: "ftp://x" },
      { primary_contact: "nobody" },
      { "run_failed.subscribers": "a" },
    ]) {
      expect((await send(emulator, "/console/settings/notifications", { ...wrong }, notifications)).status).toBe(422);
    }
  });

  test("deliveries and outbox show what events came to", async () => {
    const emulator = await startEmulator();
    const fields = {
      webhook_url: "http://127.0.0.1:9/hook",
      "tenant_created.send_webhook": "on",
      "tenant_created.subscribers": "a@example.com",
    };
    await send(emulator, "/console/settings/notifications", fields, notifications);
    await install(emulator, { name: "told-of" });
    await emulator.settled();
    const { html } = await open(emulator, "/console/deliveries");
    expect(html).toContain("http://127.0.0.1:9/hook");
    expect(html).toContain("unreachable");
    expect(html).toContain("told-of");
    expect(html).toContain("a@example.com");
  });
});

const notifications = "/console/settings/notifications";

/** An installed tenant, and how to send a form of its page. */
async function tenant(fields: object = {}) {
  const emulator = await startManual();
  const id = await install(emulator, fields);
  const act = (action: string, values: Record<string, string> = {}) =>
    send(emulator, `/console/tenants/${id}/${action}`, values);
  return { emulator, id, act };
}

async function names(emulator: Emulator, query: string): Promise<(string | undefined)[]> {
  const { html } = await open(emulator, `/console/tenants${query}`);
  return [...html.matchAll(/<a href="\/console\/tenants\/\d+">([^<]*)<\/a>/g)].map(([, name]) => name);
}
