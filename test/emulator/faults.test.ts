import { describe, expect, test } from "vitest";
import { type Emulator, manualClockStart } from "../../src/emulator/index.ts";
import {
  call,
  createTenant,
  ids,
  install,
  readTenant,
  runsOf,
  startEmulator,
  startManual,
} from "./running-emulator.ts";

const body = { name: "acme", integration_id: 101 };

describe("a fault", () => {
  test("applies to one request by default", async () => {
    const emulator = await startEmulator();
    emulator.fault({ kind: "status", status: 500 });
    expect((await call(emulator, "GET", "/v2/tenants")).status).toBe(500);
    expect((await call(emulator, "GET", "/v2/tenants")).status).toBe(200);
  });

  test("skips requests, applies several times, and matches method, path and query", async () => {
    const emulator = await startEmulator();
    const match = { method: "GET", path: "^/v2/tenants$", query: "archived=true" };
    emulator.fault({ kind: "status", status: 503, skip: 1, times: 2, match });
    const statuses = [];
    for (let count = 0; count < 4; count++) {
      expect((await call(emulator, "GET", "/v2/tenants")).status).toBe(200);
      expect((await call(emulator, "GET", "/v2/integrations?archived=true")).status).toBe(200);
      statuses.push((await call(emulator, "GET", "/v2/tenants?archived=true")).status);
    }
    expect(statuses).toEqual([200, 503, 503, 200]);
  });

  test("applies after an older fault", async () => {
    const emulator = await startEmulator();
    emulator.fault({ kind: "status", status: 500 });
    emulator.fault({ kind: "status", status: 502 });
    expect((await call(emulator, "GET", "/v2/tenants")).status).toBe(500);
    expect((await call(emulator, "GET", "/v2/tenants")).status).toBe(502);
  });

  test("can be cleared, and is refused when its kind is unknown", async () => {
    const emulator = await startEmulator();
    emulator.fault({ kind: "status", status: 500, times: 99 });
    emulator.clearFaults();
    expect((await call(emulator, "GET", "/v2/tenants")).status).toBe(200);
    expect(() => emulator.fault(JSON.parse('{"kind": "explode"}'))).toThrow(/The fault is not valid/);
  });
});

describe("status", () => {
  test("gives the response of the fault, and the request has no effect", async () => {
    const emulator = await startEmulator();
    emulator.fault({ kind: "status", status: 503, body: { message: "later" }, headers: { "retry-after": "7" } });
    const answer = await call(emulator, "POST", "/v2/tenants", body);
    expect(answer).toMatchObject({ status: 503, body: { message: "later" } });
    expect(answer.headers.get("retry-after")).toBe("7");
    expect((await call(emulator, "GET", "/v2/tenants")).body).toEqual([]);
    emulator.fault({ kind: "status", status: 502, body: "Bad gateway" });
    expect(await call(emulator, "GET", "/v2/tenants")).toMatchObject({ status: 502, body: "Bad gateway" });
    emulator.fault({ kind: "status", status: 204 });
    expect(await call(emulator, "GET", "/v2/tenants")).toMatchObject({ status: 204, body: "" });
  });

  test("lets the request take effect when applied is set", async () => {
    const emulator = await startEmulator();
    emulator.fault({ kind: "status", status: 500, applied: true });
    expect((await call(emulator, "POST", "/v2/tenants", body)).status).toBe(500);
    expect((await call(emulator, "GET", "/v2/tenants")).body).toHaveLength(1);
  });
});

describe("delay", () => {
  test("answers later", async () => {
    const emulator = await startEmulator();
    emulator.fault({ kind: "delay", ms: 20 });
    expect((await call(emulator, "POST", "/v2/tenants", body)).status).toBe(200);
  });

  test("lets the request take effect even when the client has gone", async () => {
    const emulator = await startEmulator();
    emulator.fault({ kind: "delay", ms: 100, match: { method: "POST" } });
    const impatient = fetch(`${emulator.url}/v2/tenants`, {
      method: "POST",
      headers: { "x-api-key": emulator.apiKey, "content-type": "application/json" },
      body: JSON.stringify(body),
      signal: AbortSignal.timeout(50),
    });
    await expect(impatient).rejects.toThrow(/timeout/);
    await expect.poll(async () => (await call(emulator, "GET", "/v2/tenants")).body).toHaveLength(1);
  });

  test("ends when the faults are cleared", async () => {
    const emulator = await startEmulator();
    emulator.fault({ kind: "delay", ms: 3_600_000, match: { method: "POST" } });
    const answer = call(emulator, "POST", "/v2/tenants", body);
    await expect.poll(() => emulator.requests()).toHaveLength(1);
    emulator.clearFaults();
    expect((await answer).status).toBe(200);
  });

  test("does not delay closing", async () => {
    const emulator = await startEmulator();
    emulator.fault({ kind: "delay", ms: 3_600_000 });
    const answer = call(emulator, "GET", "/v2/tenants").catch((error: unknown) => error);
    await expect.poll(() => emulator.requests()).toHaveLength(1);
    await emulator.close();
    expect(String(await answer)).toBe("TypeError: fetch failed");
  });
});

describe("a closed connection", () => {
  test.each([
    ["cut-before", 0],
    ["cut-after", 1],
    ["cut-middle", 1],
  ] as const)("%s: fails, and leaves %d tenants", async (kind, count) => {
    const emulator = await startEmulator();
    emulator.fault({ kind, match: { method: "POST" } });
    await expect(call(emulator, "POST", "/v2/tenants", body)).rejects.toThrow(/fetch failed|terminated/);
    expect((await call(emulator, "GET", "/v2/tenants")).body).toHaveLength(count);
    const [record] = emulator.requests();
    expect(record).toMatchObject({ method: "POST", body, status: null });
  });

  test("cut-middle sends the status and half of the body", async () => {
    const emulator = await startEmulator();
    emulator.fault({ kind: "cut-middle" });
    const response = await fetch(`${emulator.url}/v2/integrations`, { headers: { "x-api-key": emulator.apiKey } });
    expect(response.status).toBe(200);
    await expect(response.text()).rejects.toThrow();
  });

  test.each(["cut-before", "cut-after", "cut-middle"] as const)("%s fails through fetch too", async (kind) => {
    const emulator = await startEmulator();
    emulator.fault({ kind });
    const request = new Request("http://anywhere/v2/tenants", { headers: { "x-api-key": emulator.apiKey } });
    await expect(Promise.resolve(emulator.fetch(request)).then((response) => response.text())).rejects.toThrow(
      /fetch failed/,
    );
  });
});

describe("a wrong response", () => {
  test("html: a page, and the request has no effect", async () => {
    const emulator = await startEmulator();
    emulator.fault({ kind: "html" });
    const answer = await call(emulator, "POST", "/v2/tenants", body);
    expect(answer).toMatchObject({ status: 200, body: expect.stringContaining("<title>") });
    expect(answer.headers.get("content-type")).toMatch("text/html");
    emulator.fault({ kind: "html", status: 502 });
    expect((await call(emulator, "GET", "/v2/tenants")).status).toBe(502);
    expect((await call(emulator, "GET", "/v2/tenants")).body).toEqual([]);
  });

  test("truncated-json: half of the JSON, and the request takes effect", async () => {
    const emulator = await startEmulator();
    emulator.fault({ kind: "truncated-json" });
    expect(await call(emulator, "POST", "/v2/tenants", body)).toMatchObject({
      status: 200,
      body: expect.stringMatching(/^\{"id/),
    });
    expect((await call(emulator, "GET", "/v2/tenants")).body).toHaveLength(1);
  });

  test("wrong-shape: a list in an object, an object in a list, or the given body", async () => {
    const emulator = await startEmulator();
    emulator.fault({ kind: "wrong-shape" });
    expect((await call(emulator, "GET", "/v2/tenants")).body).toEqual({ items: [] });
    emulator.fault({ kind: "wrong-shape" });
    expect((await call(emulator, "POST", "/v2/tenants", body)).body).toMatchObject([{ name: "acme" }]);
    emulator.fault({ kind: "wrong-shape", body: [{ id: "seven" }] });
    expect((await call(emulator, "GET", "/v2/tenants")).body).toEqual([{ id: "seven" }]);
  });
});

test("wrong-date: a Date header that is ahead or behind, and the request takes effect", async () => {
  const emulator = await startEmulator({ clock: "manual" });
  for (const seconds of [86_400, -3600]) {
    emulator.fault({ kind: "wrong-date", seconds });
    const { headers } = await fetch(`${emulator.url}/v2/tenants`, { headers: { "x-api-key": emulator.apiKey } });
    expect(Date.parse(headers.get("date") ?? "")).toBe(Date.parse(manualClockStart) + seconds * 1000);
  }
  expect((await call(emulator, "GET", "/v2/tenants")).status).toBe(200);
});

describe("slow-bytes", () => {
  test("sends the whole body in pieces, and the request takes effect", async () => {
    const emulator = await startEmulator();
    emulator.fault({ kind: "slow-bytes", ms: 50, match: { method: "POST" } });
    const response = await fetch(`${emulator.url}/v2/tenants`, {
      method: "POST",
      headers: { "x-api-key": emulator.apiKey, "content-type": "application/json" },
      body: JSON.stringify(body),
    });
    expect(response.status).toBe(200);
    const pieces: Uint8Array[] = [];
    for await (const piece of response.body ?? []) pieces.push(piece);
    expect(pieces.length).toBeGreaterThan(1);
    expect(JSON.parse(Buffer.concat(pieces).toString())).toMatchObject({ name: "acme" });
    expect((await call(emulator, "GET", "/v2/tenants")).body).toHaveLength(1);
    expect(emulator.requests().map(({ fault }) => fault)).toEqual(["slow-bytes", undefined]);
  });

  test("leaves an empty body empty, and does not delay closing", async () => {
    const emulator = await startEmulator({ variants: { patchAnswer: "empty" } });
    const id = await createTenant(emulator);
    emulator.fault({ kind: "slow-bytes", ms: 3_600_000, times: 2 });
    expect(await call(emulator, "PATCH", `/v2/tenants/${id}`, { paused: false })).toMatchObject({ body: "" });
    const answer = call(emulator, "GET", "/v2/tenants").catch((error: unknown) => error);
    await expect.poll(() => emulator.requests()).toHaveLength(3);
    await emulator.close();
    expect(String(await answer)).toMatch(/^TypeError: (fetch failed|terminated)$/);
  });
});

test("ignore-fields: a success that leaves these fields unchanged", async () => {
  const emulator = await startEmulator();
  const id = await createTenant(emulator);
  emulator.fault({ kind: "ignore-fields", fields: ["paused"], match: { method: "PATCH" } });
  const patch = { paused: false, name: "globex" };
  expect((await call(emulator, "PATCH", `/v2/tenants/${id}`, patch)).status).toBe(200);
  expect(await readTenant(emulator, id)).toMatchObject({ paused: true, name: "globex" });
  expect(emulator.requests().find(({ method }) => method === "PATCH")).toMatchObject({ body: patch });
});

test("ignore-fields: the other fields arrive as they were written", async () => {
  const emulator = await startEmulator({ variants: { numbers: "kept" } });
  const id = await createTenant(emulator);
  emulator.fault({ kind: "ignore-fields", fields: ["name"], match: { method: "PATCH" } });
  await call(emulator, "PATCH", `/v2/tenants/${id}`, '{"name":"globex","configs":{"pin":9007199254740993}}');
  expect((await call(emulator, "GET", "/v2/tenants")).text).toContain('"configs":{"pin":9007199254740993}');
});

test("rate-limit: 429 with Retry-After above the rate, until the fault is cleared", async () => {
  let now = 0;
  const emulator = await startEmulator({ clock: { now: () => now } });
  emulator.fault({ kind: "rate-limit", perSecond: 2 });
  const status = async () => (await call(emulator, "GET", "/v2/tenants")).status;
  expect([await status(), await status(), await status(), await status()]).toEqual([200, 200, 429, 429]);
  now += 500;
  expect([await status(), await status()]).toEqual([200, 429]);
  const answer = await call(emulator, "POST", "/v2/tenants", body);
  expect(answer.headers.get("retry-after")).toBe("1");
  emulator.clearFaults();
  expect(ids((await call(emulator, "GET", "/v2/tenants")).body)).toEqual([]);
});

describe("builds, syncs and proxy calls meet faults too", () => {
  const posts: [string, (emulator: Emulator) => Promise<string>, object?][] = [
    ["a build", async () => "/v2/sourcecontrol/build", { tag: "v9", integration_id: 101 }],
    ["a sync", async (emulator) => `/v2/tenants/${await install(emulator)}/sync?mode=init`],
    ["a proxy call", async (emulator) => `/v2/tenants/${await install(emulator)}/connectors/crm/call`, {}],
  ];
  test.each(posts)("%s", async (_what, pathOf, sent) => {
    const emulator = await startManual();
    const path = await pathOf(emulator);
    emulator.fault({ kind: "status", status: 503 });
    expect((await call(emulator, "POST", path, sent)).status).toBe(503);
    emulator.fault({ kind: "html" });
    expect((await call(emulator, "POST", path, sent)).headers.get("content-type")).toMatch("text/html");
    emulator.fault({ kind: "cut-before" });
    await expect(call(emulator, "POST", path, sent)).rejects.toThrow(/fetch failed/);
  });

  test("a sync whose response is lost takes effect", async () => {
    const emulator = await startManual();
    const id = await install(emulator);
    emulator.fault({ kind: "cut-after", match: { path: "/sync$" } });
    await expect(call(emulator, "POST", `/v2/tenants/${id}/sync?mode=init`)).rejects.toThrow(/fetch failed/);
    await emulator.advance({ seconds: 10 });
    expect(await runsOf(emulator, id)).toMatchObject([{ mode: "init", status: { phase: "succeeded" } }]);
  });
});
