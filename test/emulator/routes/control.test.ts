import { once } from "node:events";
import { request } from "node:http";
import { describe, expect, test } from "vitest";
import { call, createTenant, ids, readTenant, startEmulator, startManual } from "../running-emulator.ts";

const noKey = {};

describe("/_emulator", () => {
  test("needs no API key, and its requests are not in the log", async () => {
    const emulator = await startEmulator();
    await createTenant(emulator);
    const log = await call(emulator, "GET", "/_emulator/requests", undefined, noKey);
    expect(log).toMatchObject({ status: 200, body: [{ method: "POST", path: "/v2/tenants", status: 200 }] });
    await call(emulator, "DELETE", "/_emulator/requests", undefined, noKey);
    expect((await call(emulator, "GET", "/_emulator/requests", undefined, noKey)).body).toEqual([]);
  });

  test("refuses requests that a page of another site could send", async () => {
    const emulator = await startEmulator();
    const send = (headers: Record<string, string>) => call(emulator, "POST", "/_emulator/reset", "{}", headers);
    expect((await send({ "content-type": "text/plain" })).status).toBe(415);
    expect((await send({ "content-type": "application/x-www-form-urlencoded" })).status).toBe(415);
    expect((await send({ origin: "https://elsewhere.example" })).status).toBe(403);
    expect((await send({ origin: "null" })).status).toBe(403);
    expect((await send({ origin: emulator.url })).status).toBe(200);
  });

  test("needs no content type without a body, unless a browser may have sent the request", async () => {
    const emulator = await startEmulator();
    const send = (path: string, headers: Record<string, string> = {}) =>
      call(emulator, "POST", `/_emulator/${path}`, undefined, headers);
    expect(await send("reset")).toMatchObject({ status: 200, body: { done: true } });
    expect(await send("faults")).toMatchObject({ status: 422, body: { detail: [{ loc: ["body"] }] } });
    expect((await send("reset", { origin: emulator.url })).status).toBe(415);
    expect((await send("reset", { origin: "https://elsewhere.example" })).status).toBe(403);
    // An empty form
    expect((await send("reset", { "content-type": "application/x-www-form-urlencoded" })).status).toBe(415);
  });

  test("refuses a host name that is not a loopback name", async () => {
    const emulator = await startEmulator();
    const statusFor = async (host: string) => {
      const question = request(`${emulator.url}/_emulator/requests`, { headers: { host } }).end();
      const [answer] = await once(question, "response");
      answer.resume();
      return answer.statusCode;
    };
    expect(await statusFor("elsewhere.example")).toBe(403);
    expect(await statusFor("localhost:4010")).toBe(200);
  });

  test("adds, lists and clears faults", async () => {
    const emulator = await startEmulator();
    const fault = { kind: "status", status: 503 };
    expect((await call(emulator, "POST", "/_emulator/faults", fault, noKey)).status).toBe(200);
    expect((await call(emulator, "GET", "/_emulator/faults", undefined, noKey)).body).toEqual([fault]);
    await call(emulator, "DELETE", "/_emulator/faults", undefined, noKey);
    expect((await call(emulator, "GET", "/v2/tenants")).status).toBe(200);
    expect((await call(emulator, "POST", "/_emulator/faults", { kind: "explode" }, noKey)).status).toBe(422);
    expect((await call(emulator, "POST", "/_emulator/faults", { ...fault, match: { path: "(" } }, noKey)).status).toBe(
      422,
    );
  });

  test("reads and changes variants", async () => {
    const emulator = await startEmulator();
    const changed = await call(emulator, "PATCH", "/_emulator/variants", { names: "unique" }, noKey);
    expect(changed).toMatchObject({ status: 200, body: { names: "unique", configs: "replace" } });
    expect((await call(emulator, "GET", "/_emulator/variants", undefined, noKey)).body).toEqual(changed.body);
    const refused = await call(emulator, "PATCH", "/_emulator/variants", { colour: "red" }, noKey);
    expect(refused).toMatchObject({ status: 422, body: { detail: [{ msg: expect.stringContaining("patchAnswer") }] } });
  });

  test("resets records, faults and log to the seed, but not the variants", async () => {
    const emulator = await startEmulator({ variants: { configs: "merge" } });
    const id = await createTenant(emulator);
    emulator.fault({ kind: "status", status: 500 });
    expect((await call(emulator, "POST", "/_emulator/reset", "", { "content-type": "application/json" })).status).toBe(
      200,
    );
    expect(emulator.requests()).toEqual([]);
    expect((await call(emulator, "GET", "/v2/tenants")).body).toEqual([]);
    expect((await call(emulator, "GET", "/_emulator/variants")).body).toMatchObject({ configs: "merge" });
    expect(await createTenant(emulator)).toBe(id);
  });

  test("installs a tenant from the marketplace, with any name", async () => {
    const emulator = await startEmulator();
    const given = {
      integration: "crm-to-billing",
      name: "Acme Ltd. (EU)",
      user_name: "u-7",
      metadata: { plan: "gold" },
    };
    const { body } = await call(emulator, "POST", "/_emulator/tenants", given, noKey);
    const list = await call(emulator, "GET", "/v2/tenants?user_name=u-7");
    expect(list.body).toMatchObject([
      {
        name: "Acme Ltd. (EU)",
        paused: false,
        source: "marketplace",
        integration_id: 101,
        integration_release_id: 901,
        status: { auth: { connected: true, connectors: [{ name: "crm", status: "connected" }, { name: "billing" }] } },
      },
    ]);
    expect(body).toMatchObject({ id: ids(list.body)[0], user_name: "u-7" });
    expect((await call(emulator, "GET", `/v2/tenants/${ids(list.body)[0]}/metadata`)).body).toMatchObject({
      data: { plan: "gold" },
    });
    expect((await call(emulator, "POST", "/_emulator/tenants", { integration: "none", name: "a" }, noKey)).status).toBe(
      422,
    );
  });

  test("changes any field of a tenant", async () => {
    const emulator = await startEmulator();
    const id = await createTenant(emulator, { configs: { region: "eu" } });
    const change = {
      name: "By Hand",
      configs: { region: "moon" },
      user_schedule: "whenever",
      source: "console",
      integration_release_channel: "Canary",
      paused: null,
      colour: "red",
      status: { last_run: { id: 9, status: "failed" } },
      metadata: { plan: 7 },
    };
    expect((await call(emulator, "PATCH", `/_emulator/tenants/${id}`, change, noKey)).status).toBe(200);
    const { metadata, ...fields } = change;
    expect(await readTenant(emulator, id)).toMatchObject({ ...fields, schedule: "whenever" });
    expect(await readTenant(emulator, id)).toMatchObject({ status: { auth: { connected: false } } });
    expect((await call(emulator, "GET", `/v2/tenants/${id}/metadata`)).body).toMatchObject({ data: metadata });
  });

  test("archives and restores a tenant", async () => {
    const emulator = await startEmulator();
    const id = await createTenant(emulator);
    await call(emulator, "PATCH", `/_emulator/tenants/${id}`, { archived: true }, noKey);
    expect((await call(emulator, "GET", "/v2/tenants")).body).toEqual([]);
    await call(emulator, "PATCH", `/_emulator/tenants/${id}`, { archived: false }, noKey);
    expect(ids((await call(emulator, "GET", "/v2/tenants")).body)).toEqual([id]);
  });

  test("connects and disconnects a connector; a tenant is connected when all its connectors are", async () => {
    const emulator = await startManual();
    const id = await createTenant(emulator);
    const set = (name: string, status: string) =>
      call(emulator, "POST", `/_emulator/tenants/${id}/connectors/${name}`, { status }, noKey);
    await set("crm", "connected");
    expect(await readTenant(emulator, id)).toMatchObject({
      status: {
        auth: {
          connected: false,
          connectors: [{ name: "crm", status: "connected", last_change: "2026-06-01T00:00:00.000Z" }, {}],
        },
      },
    });
    await set("billing", "connected");
    expect(await readTenant(emulator, id)).toMatchObject({ status: { auth: { connected: true } } });
    await set("crm", "expired");
    expect(await readTenant(emulator, id)).toMatchObject({
      status: { auth: { connected: false, connectors: [{ status: "expired" }, { status: "connected" }] } },
    });
    expect((await set("exchange-rates", "connected")).status).toBe(404);
    expect((await set("unknown", "connected")).status).toBe(404);
  });

  test("shows everything that is stored about a tenant, unmasked", async () => {
    const emulator = await startEmulator({ variants: { maskedConfigs: "yes" } });
    const id = await createTenant(emulator, { configs: { api_token: "s3cret" } });
    expect((await call(emulator, "GET", `/_emulator/tenants/${id}`, undefined, noKey)).body).toMatchObject({
      configs: { api_token: "s3cret" },
      user_name: null,
      metadata: null,
    });
  });

  test("adds and changes an integration", async () => {
    const emulator = await startEmulator();
    await call(
      emulator,
      "PATCH",
      "/_emulator/integrations/101",
      { default_release_id: 902, default_schedule: "1 1 * * *" },
      noKey,
    );
    expect(await call(emulator, "GET", "/v2/integrations/101/releases/default")).toMatchObject({ body: { id: 902 } });
    expect(await readTenant(emulator, await createTenant(emulator))).toMatchObject({ schedule: "1 1 * * *" });
    await call(emulator, "POST", "/_emulator/integrations", { name: "new-one" }, noKey);
    expect((await call(emulator, "GET", "/v2/integrations?sort_by=id__DESC&limit=1")).body).toMatchObject([
      { name: "new-one" },
    ]);
    expect((await call(emulator, "POST", "/_emulator/integrations", { name: "new-one" }, noKey)).status).toBe(422);
  });

  test("refuses a default schedule that is no cron string, like a seed, and accepts null", async () => {
    const emulator = await startEmulator();
    const scheduleOf = async () => Object(await readTenant(emulator, await createTenant(emulator))).schedule;
    const path = "/_emulator/integrations/101";
    await call(emulator, "PATCH", path, { default_schedule: "1 1 * * *" }, noKey);
    const partner = { id: 1, name: "Partner" };
    for (const { status, body } of [
      await call(emulator, "POST", "/_emulator/integrations", { name: "x", default_schedule: "often" }, noKey),
      await call(emulator, "PATCH", path, { default_schedule: "often" }, noKey),
      await call(
        emulator,
        "POST",
        `${path}/partner-changes`,
        { partner, change: { default_schedule: "often" } },
        noKey,
      ),
    ]) {
      expect(status).toBe(422);
      expect(body).toMatchObject({ detail: [{ msg: expect.stringContaining("must be a valid cron string") }] });
    }
    expect(await scheduleOf()).toBe("1 1 * * *");
    expect((await call(emulator, "PATCH", path, { default_schedule: null }, noKey)).status).toBe(200);
    expect(await scheduleOf()).toBeNull();
  });
});
