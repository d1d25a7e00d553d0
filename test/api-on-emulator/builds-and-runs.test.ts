import { describe, expect, test } from "vitest";
import { NotFoundError, UnexpectedResponseError, ValidationError } from "../../src/api/index.ts";
import { failureOf } from "../failure-of.ts";
import { clientBehindProxy } from "./client-behind-proxy.ts";
import { install, startClient } from "./start-client.ts";

describe("an ErrorMessage becomes the same kind of error as an HTTPValidationError", () => {
  test.each([
    ["a build of an unknown integration", { tag: "v1", integration_id: 9 }, /Integration 9 not found/],
    ["a build without a tag", { tag: "", integration_id: 101 }, /tag/],
  ])("%s", async (_what, build, words) => {
    const { client } = await startClient();
    const error = await failureOf(client.builds.create(build));
    expect(error).toBeInstanceOf(ValidationError);
    expect(error).toMatchObject({ status: 422, details: [{ path: "", message: expect.stringMatching(words) }] });
  });

  test("a sync by integration, and one by tenant, of a tenant that is not connected", async () => {
    const on = await startClient();
    const id = await install(on, { status: { auth: { connected: false } } });
    const byUser = await failureOf(on.client.integrations.sync(101, { mode: "init", userName: "user-1" }));
    expect(byUser).toMatchObject({ name: "ValidationError", details: [{ path: "" }] });
    const byId = await failureOf(on.client.tenants.sync(id, { mode: "init" }));
    expect(byId).toMatchObject({ name: "ValidationError", details: [{ path: "path.tenant_id" }] });
    for (const error of [byUser, byId]) expect(String(error)).toContain(`Tenant ${id} is not connected`);
  });

  test("a sync of an unknown tenant, integration or user", async () => {
    const { client } = await startClient();
    const failures = [
      client.tenants.sync(1, { mode: "init" }),
      client.integrations.sync(1, { mode: "init", userName: "u" }),
      client.integrations.sync(101, { mode: "init", userName: "nobody" }),
      client.runs.getTriggerStatus("none"),
      client.runs.getLog(1),
    ];
    for (const failure of failures) expect(await failureOf(failure)).toBeInstanceOf(NotFoundError);
  });
});

describe("a log", () => {
  async function afterRun() {
    const on = await startClient();
    await on.client.tenants.sync(await install(on, { runs: { log: ["reading ü"] } }), { mode: "init" });
    await on.emulator.advance({ seconds: 10 });
    on.emulator.clearRequests();
    return on;
  }

  const paths = (on: Awaited<ReturnType<typeof afterRun>>) => on.emulator.requests().map(({ path }) => path);

  test.each(["getLog", "streamLog"] as const)("by %s comes from the signed link", async (method) => {
    const on = await afterRun();
    const log = await new Response(await on.client.runs[method](7001)).text();
    expect(log).toContain("reading ü");
    expect(paths(on)).toEqual(["/v2/runs/7001/log", "/_storage/runs/7001.log"]);
  });

  test.each(["getLog", "streamLog"] as const)("by %s is requested again where its link has expired", async (method) => {
    const on = await afterRun();
    const seen: string[] = [];
    const client = await clientBehindProxy(on.emulator, async (path) => {
      seen.push(path);
      // The first link expires before the client requests it.
      if (seen.length === 2) await on.emulator.advance({ seconds: 15 * 60 });
    });
    expect(await new Response(await client.runs[method](7001)).text()).toContain("reading ü");
    const statuses = on.emulator.requests().map(({ path, status }) => [path, status]);
    expect(statuses).toEqual([
      ["/v2/runs/7001/log", 302],
      ["/_storage/runs/7001.log", 403],
      ["/v2/runs/7001/log", 302],
      ["/_storage/runs/7001.log", 200],
    ]);
  });

  test("is an error where the second link is refused too", async () => {
    const on = await afterRun();
    on.emulator.fault({ kind: "status", status: 403, times: 2, match: { path: "^/_storage/" } });
    expect(await failureOf(on.client.runs.getLog(7001))).toBeInstanceOf(UnexpectedResponseError);
  });
});

test("the tenants of a marketplace user are found by that user's name", async () => {
  const on = await startClient();
  const id = await install(on);
  await install(on, { user_name: "user-2" });
  const found = await on.client.tenants.listPage({ userName: "user-1" });
  expect(found.map((tenant) => tenant.id)).toEqual([id]);
});
