import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { requireTenants } from "../../bench/measure.ts";
import { apiKey, type BenchPlatform, openPlatform } from "../../bench/platform/open-platform.ts";
import { workloadOf } from "../../bench/workload.ts";
import { endAfterTests } from "../end-after-tests.ts";
import { sendRequest } from "../send-request.ts";

let platform: BenchPlatform;

beforeAll(() =>
  endAfterTests(async (open) => {
    platform = open.use(await openPlatform());
  }),
);
beforeEach(() => platform.resetRequestCount());

async function send(method: string, path: string, body?: object): Promise<{ status: number; answer: unknown }> {
  const { status, body: answer } = await sendRequest({ url: platform.url, apiKey }, method, path, body);
  return { status, answer };
}

describe("the platform of the benchmark", () => {
  test("makes, reads, changes and archives a tenant with its metadata in one request each", async () => {
    const [[name, declared] = ["", undefined]] = Object.entries(workloadOf(1));
    const { answer } = await send("POST", "/by-id/tenants", { name, integration_id: 101, ...declared });
    expect(answer).toMatchObject({ name, ...declared });
    expect(await platform.tenants()).toEqual([{ name, ...declared }]);

    const path = `/by-id/tenants/${Object(answer).id}`;
    expect((await send("GET", path)).answer).toEqual(answer);
    const changed = { paused: true, configs: { region: "us" }, metadata: { plan: "silver" } };
    await send("PATCH", path, { name, integration_id: 101, ...changed });
    expect(await platform.tenants()).toEqual([{ name, ...changed }]);

    await send("DELETE", path);
    expect(await platform.tenants()).toEqual([]);
    expect((await platform.requestCount()).requests).toEqual({
      "POST /by-id/tenants": 1,
      "GET /by-id/tenants/{id}": 1,
      "PATCH /by-id/tenants/{id}": 1,
      "DELETE /by-id/tenants/{id}": 1,
    });
  });

  test("counts tenants: a second one of a name fails the step that made it", async () => {
    const workload = workloadOf(2);
    for (const [name, declared] of Object.entries(workload))
      await send("POST", "/by-id/tenants", { name, integration_id: 101, ...declared });
    await requireTenants("create", platform, workload);
    const [[name, declared] = ["", undefined]] = Object.entries(workload);
    await send("POST", "/by-id/tenants", { name, integration_id: 101, ...declared });
    await expect(requireTenants("create", platform, workload)).rejects.toThrow("3 tenants for 2");
  });

  test("is the emulator otherwise, and counts by kind of path", async () => {
    expect((await send("GET", "/v2/tenants")).status).toBe(200);
    expect((await send("GET", "/v2/tenants?limit=1")).status).toBe(200);
    expect((await send("DELETE", "/v2/tenants/999")).status).toBe(404);
    expect((await platform.requestCount()).requests).toEqual({ "GET /v2/tenants": 2, "DELETE /v2/tenants/{id}": 1 });
  });

  test("lets requests that go together wait together", async () => {
    await using slow = await openPlatform(200);
    const headers = { "x-api-key": apiKey };
    await Promise.all([1, 2, 3].map(() => fetch(`${slow.url}/v2/tenants`, { headers })));
    expect((await slow.requestCount()).atOnce).toBe(3);
  });
});
