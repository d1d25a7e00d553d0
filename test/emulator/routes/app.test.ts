import { describe, expect, test } from "vitest";
import { call, createTenant, readTenant, startEmulator } from "../running-emulator.ts";

describe("every request", () => {
  test.each([[{}], [{ "x-api-key": "wrong" }], [{ "x-api-key": "" }]])("needs the API key, not %j", async (headers) => {
    const emulator = await startEmulator();
    expect(await call(emulator, "GET", "/v2/tenants", undefined, headers)).toMatchObject({
      status: 403,
      body: { detail: "Not authorized" },
    });
  });

  test("finds the API key whatever the case of the header's name", async () => {
    const emulator = await startEmulator({ apiKey: "other" });
    expect((await call(emulator, "GET", "/v2/tenants", undefined, { "X-API-Key": "other" })).status).toBe(200);
  });

  test.each(["/", "/v2", "/v2/nothing", "/wrong/v2/tenants", "/v2/tenants/", "/_emulator/nothing"])(
    "answers 404 for %s",
    async (path) => {
      const emulator = await startEmulator();
      expect(await call(emulator, "GET", path)).toMatchObject({ status: 404, body: { detail: "Not Found" } });
    },
  );

  test("answers 405 for a method that a path does not have", async () => {
    const emulator = await startEmulator();
    const answer = await call(emulator, "PUT", "/v2/tenants/1", {});
    expect(answer.status).toBe(405);
    expect(answer.headers.get("allow")).toBe("PATCH, DELETE");
  });

  test("accepts bodies up to 1 MiB", async () => {
    const emulator = await startEmulator();
    const id = await createTenant(emulator);
    const fits = JSON.stringify({ configs: { text: "x".repeat(1024 * 1024 - 30) } });
    expect((await call(emulator, "PATCH", `/v2/tenants/${id}`, fits)).status).toBe(200);
    const tooLong = JSON.stringify({ configs: { text: "x".repeat(1024 * 1024) } });
    expect((await call(emulator, "PATCH", `/v2/tenants/${id}`, tooLong)).status).toBe(413);
  });

  test("refuses a body that is nested too deeply, and goes on", async () => {
    const emulator = await startEmulator();
    const id = await createTenant(emulator);
    const nested = `{"configs": {"a": ${"[".repeat(100_000)}${"]".repeat(100_000)}}}`;
    expect((await call(emulator, "PATCH", `/v2/tenants/${id}`, nested)).status).toBe(422);
    expect(await readTenant(emulator, id)).toMatchObject({ configs: {} });
  });

  test("gets the same response from emulator.fetch as over the network", async () => {
    const emulator = await startEmulator();
    const request = new Request("http://anywhere/v2/integrations/101", { headers: { "x-api-key": emulator.apiKey } });
    const response = await emulator.fetch(request);
    expect(await response.json()).toEqual((await call(emulator, "GET", "/v2/integrations/101")).body);
  });
});

describe("the request log", () => {
  test("records requests and statuses, without the API key", async () => {
    const emulator = await startEmulator({ apiKey: "very-secret-key" });
    const id = await createTenant(emulator, { configs: { region: "eu" } });
    await call(emulator, "GET", "/v2/tenants?limit=5&skip=1");
    await call(emulator, "PATCH", `/v2/tenants/${id}`, "{not json");
    expect(emulator.requests()).toMatchObject([
      { method: "POST", path: "/v2/tenants", query: {}, body: { configs: { region: "eu" } }, status: 200 },
      { method: "GET", path: "/v2/tenants", query: { limit: "5", skip: "1" }, status: 200 },
      { method: "PATCH", path: `/v2/tenants/${id}`, body: "{not json", status: 422 },
    ]);
    expect(JSON.stringify(emulator.requests())).not.toContain("very-secret-key");
    expect(emulator.requests()[1]).not.toHaveProperty("body");
    emulator.clearRequests();
    expect(emulator.requests()).toEqual([]);
  });

  test("holds the latest 10,000 requests", async () => {
    const emulator = await startEmulator();
    const ask = (path: string) => emulator.fetch(new Request(`http://anywhere${path}`));
    for (let count = 0; count < 10_050; count++) await ask(`/v2/number-${count}`);
    const paths = emulator.requests().map(({ path }) => path);
    expect(paths).toHaveLength(10_000);
    expect([paths[0], paths.at(-1)]).toEqual(["/v2/number-50", "/v2/number-10049"]);
  });
});
