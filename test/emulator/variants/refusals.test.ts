import { expect, test } from "vitest";
import { call, createTenant, install, startEmulator, startManual, sync } from "../running-emulator.ts";
import { forEachValue } from "./for-each-value.ts";

test("a missing key is refused", async () => {
  const emulator = await startEmulator();
  const answer = await call(emulator, "GET", "/v2/tenants", undefined, {});
  expect(answer).toMatchObject({ status: 403, body: { detail: "Not authorized" } });
});

forEachValue("archivedTenant", { missing: 404, readable: 200 }, async (variants, status) => {
  const emulator = await startEmulator({ variants });
  const id = await createTenant(emulator, { integration_release_id: 902 });
  await call(emulator, "PATCH", `/v2/tenants/${id}/metadata`, { plan: "gold" });
  await call(emulator, "DELETE", `/v2/tenants/${id}`);
  const of = (method: string, path: string, body?: object) => call(emulator, method, `/v2/tenants/${id}${path}`, body);
  const message = { message: `Tenant ${id} not found` };
  const isReadable = status === 200;
  expect(await of("GET", "/metadata")).toMatchObject({
    status,
    body: isReadable ? { data: { plan: "gold" } } : message,
  });
  expect(await of("GET", "/release")).toMatchObject({ status, body: isReadable ? { id: 902 } : message });
  for (const [method, path] of [
    ["PATCH", ""],
    ["PATCH", "/metadata"],
    ["DELETE", ""],
  ] as const) {
    expect(await of(method, path, {})).toMatchObject({ status: 404, body: message });
  }
  expect((await call(emulator, "GET", "/v2/tenants/1/metadata")).status).toBe(404);
});

const configs = { region: "eu", note: 'a "b" & c', deep: [{ pin: 1234 }] };
const refused = { name: "Not A Name", integration_id: 101, configs };
forEachValue(
  "refusals",
  {
    plain: "",
    repeat: '; the request was Not A Name, 101, eu, a "b" & c, 1234',
    "repeat-json": `; the request was ${JSON.stringify(refused)}`,
    "repeat-url": "; the request was Not%20A%20Name&101&eu&a%20%22b%22%20%26%20c&1234",
  },
  async (variants, suffix) => {
    const emulator = await startEmulator();
    const { body: plain } = await call(emulator, "POST", "/v2/tenants", refused);
    emulator.setVariants(variants);
    const { status, body } = await call(emulator, "POST", "/v2/tenants", refused);
    expect(status).toBe(422);
    expect(Object(body).detail[0].msg).toBe(Object(plain).detail[0].msg + suffix);
  },
);

test("refusals=repeat: the message of a refused build repeats the body too", async () => {
  const emulator = await startEmulator({ variants: { refusals: "repeat" } });
  const sent = { tag: "v9", integration_id: 999 };
  const { status, body } = await call(emulator, "POST", "/v2/sourcecontrol/build", sent);
  expect([status, Object(body).message]).toEqual([422, expect.stringMatching(/; the request was v9, 999$/)]);
});

test.each(["repeat", "repeat-json"] as const)(
  "refusals=%s: numbers are repeated as they were written",
  async (refusals) => {
    const emulator = await startEmulator({ variants: { refusals } });
    const { status, text } = await call(
      emulator,
      "POST",
      "/v2/tenants",
      '{"name":"A b","configs":{"pin":9007199254740993}}',
    );
    expect([status, text]).toEqual([422, expect.stringMatching(/the request was [^}]*9007199254740993/)]);
  },
);

test.each([
  ["nested deep", `{"name":${"[".repeat(20_000)}${"]".repeat(20_000)}}`],
  ["with half a character", '{"name":"\\ud800","integration_id":101}'],
])("refusals: a body %s is refused and listed like any other", async (_, sent) => {
  const emulator = await startEmulator();
  for (const refusals of ["plain", "repeat", "repeat-json", "repeat-url"] as const) {
    emulator.setVariants({ refusals });
    expect(await call(emulator, "POST", "/v2/tenants", sent)).toMatchObject({ status: 422 });
  }
  expect(await call(emulator, "GET", "/_emulator/requests")).toMatchObject({ status: 200 });
});

forEachValue(
  "busy",
  { no: [200, 200, 202], "409": [409, 409, 409], "423": [423, 423, 423] },
  async (variants, during) => {
    const emulator = await startManual({ variants });
    const id = await install(emulator);
    const path = `/v2/tenants/${id}`;
    const writes = async () => [
      (await call(emulator, "PATCH", path, { paused: false })).status,
      (await call(emulator, "PATCH", `${path}/metadata`, { plan: "gold" })).status,
      (await call(emulator, "POST", `${path}/sync?mode=normal`)).status,
    ];
    await sync(emulator, id);
    await emulator.advance({ seconds: 2 });
    expect(await writes()).toEqual(during);
    await emulator.advance({ seconds: 60 });
    expect(await writes()).toEqual([200, 200, 202]);
  },
);
