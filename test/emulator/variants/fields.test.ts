import { expect, test } from "vitest";
import type { Variants } from "../../../src/emulator/index.ts";
import { call, createTenant, ids, install, readTenant, startEmulator, startManual } from "../running-emulator.ts";
import { forEachValue } from "./for-each-value.ts";

forEachValue("defaults", { present: true, absent: false }, async (variants, isPresent) => {
  const emulator = await startEmulator({ variants });
  const tenant = await readTenant(emulator, await createTenant(emulator));
  const defaults = { configs: {}, paused: true, source: "api" };
  if (isPresent) expect(tenant).toMatchObject(defaults);
  else for (const name of Object.keys(defaults)) expect(tenant).not.toHaveProperty(name);
});

test("defaults=absent: no field is null, except inside free-form objects", async () => {
  const emulator = await startEmulator({ variants: { defaults: "absent" } });
  const id = await createTenant(emulator, { configs: { extra: null } });
  const answers = [
    await readTenant(emulator, id),
    (await call(emulator, "GET", `/v2/tenants/${id}/metadata`)).body,
    (await call(emulator, "GET", "/v2/integrations")).body,
    (await call(emulator, "GET", "/v2/integrations/101/releases/latest")).body,
  ];
  expect(answers[0]).toMatchObject({ configs: { extra: null } });
  const { configs, ...tenant } = Object(answers[0]);
  expect(JSON.stringify([tenant, ...answers.slice(1)])).not.toContain("null");
});

test("defaults=absent: no field holds null or the specification's default", async () => {
  const emulator = await startEmulator({ variants: { defaults: "absent" } });
  const id = await createTenant(emulator);
  const connectors = [
    { name: "crm", status: "disconnected" },
    { name: "billing", status: "disconnected" },
  ];
  expect(await readTenant(emulator, id)).toEqual({
    id,
    name: "acme",
    integration_id: 101,
    archived: false,
    created_date: expect.any(String),
    modified_date: expect.any(String),
    integration_release_id: 901,
    status: { auth: { connectors } },
  });
  expect((await call(emulator, "GET", `/v2/tenants/${id}/metadata`)).body).toEqual({ tenant_id: id });
  await call(emulator, "PATCH", `/v2/tenants/${id}`, { paused: false, configs: { region: "eu" } });
  expect(await readTenant(emulator, id)).toMatchObject({ paused: false, configs: { region: "eu" } });
  const { body } = await call(emulator, "GET", "/v2/integrations/102");
  expect(Object.keys(Object(body))).not.toContain("tags");
  expect(body).toMatchObject({ categories: [{ name: "Commerce" }] });
});

forEachValue(
  "absentField",
  {
    none: [],
    archived: [".archived"],
    integration_id: [".integration_id"],
    dates: [".created_date", ".modified_date"],
    user_schedule: [".user_schedule"],
    schedule: [".schedule"],
    integration_release_id: [".integration_release_id"],
    integration_release_channel: [".integration_release_channel"],
    release: [".integration_release_id", ".integration_release_channel"],
    status: [".status"],
    auth: [".status.auth"],
    connected: [".status.auth.connected"],
    last_change: [".status.auth.connectors.0.last_change", ".status.auth.connectors.1.last_change"],
  },
  async (variants, absent) => {
    const emulator = await startEmulator({ variants });
    const body = { name: "acme", integration_id: 101, user_schedule: "0 1 * * *" };
    const { body: created } = await call(emulator, "POST", "/v2/tenants", body);
    const [id] = ids([created]);
    const { body: patched } = await call(emulator, "PATCH", `/v2/tenants/${id}`, { paused: false });
    const all = new Set(pathsOf((await call(emulator, "GET", `/_emulator/tenants/${id}`)).body));
    for (const shown of [created, patched, (await call(emulator, "GET", "/v2/tenants")).body]) {
      const paths = new Set(pathsOf([shown].flat()[0]));
      for (const path of absent) expect(paths).not.toContain(path);
      const isUnder = (path: string) => absent.some((start) => path === start || path.startsWith(`${start}.`));
      const isHidden = (path: string) => [".user_name", ".metadata"].includes(path);
      expect([...all].filter((path) => path !== "" && !isUnder(path) && !isHidden(path) && !paths.has(path))).toEqual(
        [],
      );
    }
  },
);

const manualStart = "Mon, 01 Jun 2026 00:00:00 GMT";

forEachValue("dateHeader", { present: manualStart, absent: null }, async (variants, expected) => {
  const emulator = await startManual({ variants });
  const id = await install(emulator);
  emulator.fault({ kind: "truncated-json", match: { path: "^/v2/integrations$" } });
  const answers = [
    await call(emulator, "GET", "/v2/tenants"),
    await call(emulator, "GET", "/v2/tenants", undefined, { "x-api-key": "wrong" }),
    await call(emulator, "PATCH", `/v2/tenants/${id}`, { paused: "no" }),
    await call(emulator, "PATCH", `/v2/tenants/${id}`, "x".repeat(2 * 1024 * 1024)),
    await call(emulator, "GET", "/v2/integrations"),
    await call(emulator, "GET", "/v2/nothing"),
    await call(emulator, "GET", "/_emulator/clock"),
    await call(emulator, "GET", "/console"),
  ];
  expect(answers.map(({ status }) => status)).toEqual([200, 403, 422, 413, 200, 404, 200, 200]);
  for (const { headers } of answers) expect(headers.get("date")).toBe(expected);
});

test("dateHeader=present: the header has the time of the emulator's clock, also where a fault answers", async () => {
  const emulator = await startManual();
  const dateOf = async (path: string) => (await call(emulator, "GET", path)).headers.get("date");
  await emulator.advance({ seconds: 90.9 });
  expect(await dateOf("/v2/tenants")).toBe("Mon, 01 Jun 2026 00:01:30 GMT");
  for (const kind of ["status", "html"] as const) {
    emulator.fault({ kind, status: 503 });
    expect(await dateOf("/v2/tenants")).toBe("Mon, 01 Jun 2026 00:01:30 GMT");
  }
  emulator.fault({ kind: "status", status: 503, headers: { date: "soon" } });
  expect(await dateOf("/v2/tenants")).toBe("soon");
});

test("dateHeader=present: a response that breaks off has the header too", async () => {
  const emulator = await startManual();
  emulator.fault({ kind: "cut-middle" });
  const response = await fetch(`${emulator.url}/v2/tenants`, { headers: { "x-api-key": emulator.apiKey } });
  expect(response.headers.get("date")).toBe(manualStart);
  await expect(response.text()).rejects.toThrow();
});

test("dateHeader=present: with the machine's clock, the header has the machine's time", async () => {
  const emulator = await startEmulator();
  const before = Date.now();
  const { headers } = await call(emulator, "GET", "/v2/tenants");
  const shown = Date.parse(headers.get("date") ?? "");
  expect(shown).toBeGreaterThan(before - 1000); // the header has no fractions of a second
  expect(shown).toBeLessThanOrEqual(Date.now());
});

/** The paths of all values in a value. */
function pathsOf(value: unknown, path = ""): string[] {
  if (typeof value !== "object" || value === null) return [path];
  return Object.entries(value).flatMap(([key, inner]) => [`${path}.${key}`, ...pathsOf(inner, `${path}.${key}`)]);
}

const oddValues = {
  text: " a ",
  list: [{ name: "b" }, { enabled: false }, 1],
  gone: "",
  deep: { none: null, some: {} },
};
const shownOddValues = {
  textForm: { kept: oddValues, trimmed: { ...oddValues, text: "a" } },
  listDefaults: {
    none: oddValues,
    added: { ...oddValues, list: [{ enabled: true, name: "b" }, { enabled: false }, 1] },
  },
  emptyValues: { kept: oddValues, dropped: { text: " a ", list: oddValues.list, deep: {} } },
};

forEachValue("textForm", shownOddValues.textForm, showsOddValues);
forEachValue("listDefaults", shownOddValues.listDefaults, showsOddValues);
forEachValue("emptyValues", shownOddValues.emptyValues, showsOddValues);

async function showsOddValues(variants: Variants, shown: object) {
  const emulator = await startEmulator({ variants });
  const id = await createTenant(emulator, { configs: oddValues });
  const { body } = await call(emulator, "PATCH", `/v2/tenants/${id}/metadata`, oddValues);
  expect(Object(body).data).toEqual(shown);
  expect(Object(await readTenant(emulator, id)).configs).toEqual(shown);
  const stored = { configs: oddValues, metadata: oddValues };
  expect((await call(emulator, "GET", `/_emulator/tenants/${id}`)).body).toMatchObject(stored);
}

forEachValue(
  "scheduleForm",
  {
    kept: ["5 */6 * * *", "5 */6 * * *"],
    suffixed: ["5 */6 * * * UTC", "5 */6 * * * UTC"],
    ranges: ["5 0-23/6 * * *", "5 0-23/6 * * *"],
    shifted: ["8 */6 * * *", "12 */6 * * *"],
  },
  async (variants, shown) => {
    const emulator = await startEmulator({ variants });
    const id = await createTenant(emulator, { user_schedule: "5 */6 * * *" });
    const [first, second] = shown;
    expect(await readTenant(emulator, id)).toMatchObject({ user_schedule: first, schedule: first });
    await call(emulator, "PATCH", `/v2/tenants/${id}`, { user_schedule: "5 */6 * * *" });
    await call(emulator, "PATCH", `/v2/tenants/${id}`, { paused: false });
    expect(await readTenant(emulator, id)).toMatchObject({ user_schedule: second, schedule: second });
  },
);
