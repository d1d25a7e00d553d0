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
import { type Fields, open, send } from "./console-client.ts";

describe("on a tenant's page", () => {
  test("pause and resume", async () => {
    const { emulator, id, act } = await tenant();
    expect((await act("pause")).html).toContain("The tenant was paused.");
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

  test("a global connector cannot be disconnected", async () => {
    const { act } = await tenant();
    const answer = await act("connectors/exchange-rates/disconnect");
    expect(answer.status).toBe(422);
    expect(answer.html).toContain("has no connector &quot;exchange-rates&quot; of its own");
  });

  test("set the schedule, refuse an invalid one, and go back to the integration's", async () => {
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

  test("set the release, by id and by channel", async () => {
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

  test("set the configs: a removed key is removed, a masked secret keeps its value", async () => {
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
  ])("configs %s are refused: the form shows them again, with the problem", async (configs, problem) => {
    const { emulator, id, act } = await tenant({ configs: { region: "eu" } });
    const answer = await act("configs", { configs });
    expect(answer.status).toBe(422);
    expect(answer.html).toContain('role="alert"');
    expect(answer.html).toContain(problem);
    expect(answer.html).toContain(`\n${configs.replaceAll('"', "&quot;")}</textarea>`);
    expect(await readTenant(emulator, id)).toMatchObject({ configs: { region: "eu" } });
  });

  test("set dynamic choices, whose options an init sync finds", async () => {
    const { emulator, id, act } = await tenant({ configs: { region: "eu" } });
    const page = async () => (await open(emulator, `/console/tenants/${id}`)).html;
    expect(await page()).toMatch(/Billing plan[\s\S]*An init sync finds the options/);
    await act("sync", { mode: "init" });
    await emulator.advance({ seconds: 60 });
    expect(await page()).toMatch(/<option value="business"/);
    await act("choices", { billing_plan: "business" });
    expect(await readTenant(emulator, id)).toMatchObject({ configs: { region: "eu", billing_plan: "business" } });
    expect(await page()).toMatch(/<option value="business" selected/);
    await act("choices", { billing_plan: "" });
    expect(await readTenant(emulator, id)).not.toHaveProperty("configs.billing_plan");
  });

  test("set several options of a dynamic choice, and show one that is no option any more", async () => {
    const departments = [
      { const: "eng", title: "Engineering" },
      { const: "sales", title: "Sales" },
    ];
    const { emulator, id, act } = await tenant({
      integration: "hr-to-payroll",
      configs: { company_id: "one", departments: ["old"] },
      status: { dynamic_configs: { departments } },
    });
    const { html } = await open(emulator, `/console/tenants/${id}`);
    expect(html).toMatch(/<select [^>]*multiple/);
    expect(html).toMatch(/<option value="eng" >Engineering[\s\S]*<option value="old" selected>old \(no option\)/);
    await act("choices", [
      ["departments", "eng"],
      ["departments", "sales"],
    ]);
    expect(await readTenant(emulator, id)).toMatchObject({ configs: { departments: ["eng", "sales"] } });
  });

  test("set the metadata", async () => {
    const { emulator, id, act } = await tenant({ metadata: { plan: "gold", seats: 3 } });
    await act("metadata", { metadata: '{"plan": "silver"}' });
    expect((await call(emulator, "GET", `/v2/tenants/${id}/metadata`)).body).toMatchObject({
      data: { plan: "silver" },
    });
    expect((await act("metadata", { metadata: '{"seats": "many"}' })).status).toBe(422);
  });

  test("request a sync, whose run shows its log", async () => {
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

  test("archive and restore", async () => {
    const { emulator, id, act } = await tenant();
    await act("archive");
    expect(await readTenant(emulator, id)).toMatchObject({ archived: true });
    expect((await act("pause")).status).toBe(422);
    await act("restore");
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
  test("is filtered by a part of the name, by integration and by archived state", async () => {
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

  test("installs a tenant", async () => {
    const emulator = await startEmulator();
    const { html } = await send(emulator, "/console/tenants", { integration: "101", name: "acme", user_name: "u-1" });
    expect(html).toContain("acme was installed.");
    expect((await call(emulator, "GET", "/v2/tenants?user_name=u-1")).body).toMatchObject([
      { name: "acme", source: "marketplace", paused: false },
    ]);
  });
});

/** An installed tenant, and a function that submits a form of its page. */
async function tenant(fields: object = {}) {
  const emulator = await startManual();
  const id = await install(emulator, fields);
  const act = (action: string, values: Fields = {}) => send(emulator, `/console/tenants/${id}/${action}`, values);
  return { emulator, id, act };
}

async function names(emulator: Emulator, query: string): Promise<(string | undefined)[]> {
  const { html } = await open(emulator, `/console/tenants${query}`);
  return [...html.matchAll(/<a href="\/console\/tenants\/\d+">([^<]*)<\/a>/g)].map(([, name]) => name);
}
