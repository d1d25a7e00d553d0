import { once } from "node:events";
import { request as ask, createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { text } from "node:stream/consumers";
import { describe, expect, onTestFinished, test } from "vitest";
import type { Emulator, SeedIntegration } from "../../../src/emulator/index.ts";
import { call, createTenant, install, readTenant, startEmulator, startManual } from "../running-emulator.ts";

describe("disconnecting a connector", () => {
  const disconnect = (emulator: Emulator, id: number | string, name: string) =>
    call(emulator, "PATCH", `/v2/tenants/${id}/connectors/${name}/disconnect`);

  test("leaves the other connectors connected, but not the tenant", async () => {
    const emulator = await startManual();
    const id = await install(emulator);
    await emulator.advance({ seconds: 60 });
    expect(await disconnect(emulator, id, "crm")).toMatchObject({ status: 200, body: { name: "crm" } });
    expect(await readTenant(emulator, id)).toMatchObject({
      status: {
        auth: {
          connected: false,
          connectors: [
            { name: "crm", status: "disconnected", last_change: "2026-06-01T00:01:00.000Z" },
            { name: "billing", status: "connected", last_change: "2026-06-01T00:00:00.000Z" },
          ],
        },
      },
    });
  });

  test("succeeds when the connector is disconnected already", async () => {
    const emulator = await startManual();
    const id = await createTenant(emulator);
    const before = await readTenant(emulator, id);
    expect((await disconnect(emulator, id, "crm")).status).toBe(200);
    expect(await readTenant(emulator, id)).toEqual(before);
  });

  test.each([
    ["a global connector", "exchange-rates", ["path", "connector_name"]],
    ["an unknown connector", "fax", ["path", "connector_name"]],
  ])("is refused for %s", async (_what, name, loc) => {
    const emulator = await startEmulator();
    const id = await install(emulator);
    expect(await disconnect(emulator, id, name)).toMatchObject({ status: 422, body: { detail: [{ loc }] } });
  });

  test("has no 404: an unknown tenant is a 422 about the path", async () => {
    const emulator = await startEmulator();
    const refusal = { status: 422, body: { detail: [{ loc: ["path", "tenant_id"] }] } };
    expect(await disconnect(emulator, 1, "crm")).toMatchObject(refusal);
    expect(await disconnect(emulator, "x", "crm")).toMatchObject(refusal);
  });

  test.each([
    ["object", { name: "crm", status: "disconnected", last_change: "2026-06-01T00:00:00.000Z" }],
    ["nothing", {}],
    ["empty", ""],
  ] as const)("answers as the variant patchAnswer says: %s", async (patchAnswer, body) => {
    const emulator = await startManual({ variants: { patchAnswer } });
    expect(await disconnect(emulator, await install(emulator), "crm")).toMatchObject({ status: 200, body });
  });
});

/** A service on loopback that answers with the request that it got; `/slow` never answers. */
async function startService(answer?: (request: IncomingMessage, response: ServerResponse) => void): Promise<string> {
  const server = createServer(async (request, response) => {
    if (request.url === "/slow") return;
    if (answer) return answer(request, response);
    const { method, url, headers } = request;
    response.end(JSON.stringify({ method, url, headers, body: await text(request) }));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const address = server.address();
  return `http://127.0.0.1:${typeof address === "object" ? address?.port : ""}`;
}

type Target = NonNullable<NonNullable<SeedIntegration["connectors"]>[number]["target"]>;

/** An emulator with a connected tenant 1, whose connector `crm` has this target; `rates` is global, `own` not connected. */
async function startWith(target: Target): Promise<Emulator> {
  const connectors = [
    { name: "crm", isGlobal: false, target },
    { name: "own", isGlobal: false, target },
    { name: "rates", isGlobal: true, target },
  ];
  const auth = { connected: false, connectors: [{ name: "crm", status: "connected" }] };
  return startEmulator({
    seed: {
      integrations: [{ id: 1, name: "one", connectors }],
      tenants: [{ id: 1, integration: 1, name: "acme", status: { auth } }],
    },
  });
}

const proxy = (emulator: Emulator, kind: string, body: unknown, connector = "crm") =>
  call(emulator, "POST", `/v2/tenants/1/connectors/${connector}/${kind}`, body);

describe("a proxy call to scripted answers", () => {
  const answers = [
    { method: "GET", path: "^/contacts\\?page=2$", body: [{ name: "Ada" }] },
    { method: "DELETE", path: "^/contacts", status: 204, body: "" },
    { path: "^/contacts/9", status: 404, body: { error: "no such contact" } },
    { path: "^/teapot", status: 418, body: "short and stout" },
    { path: "^/moved", status: 302 },
    { path: "^/slow", times_out: true },
    { path: "^/soap", body: "<Envelope/>" },
  ];

  test.each([
    [{ target_url: "/contacts", query_params: { page: 2 } }, [{ name: "Ada" }]],
    [{ target_url: "https://api.crm.example/contacts?page=2", headers: [["accept", "text/json"]] }, [{ name: "Ada" }]],
    [{ target_url: "/contacts?page=2", method: "get", headers: null, body: null }, [{ name: "Ada" }]],
    [{ target_url: "/contacts/1", method: "DELETE", headers: { accept: "x" } }, {}],
  ])("%j", async (body, data) => {
    const emulator = await startWith({ answers });
    expect(await proxy(emulator, "call", body)).toMatchObject({ status: 200, body: { data } });
  });

  test.each([
    ["/contacts/9", 404, { error: "no such contact" }],
    ["/teapot", 418, "short and stout"],
  ])("passes on an external error, with its data as a string of JSON: %s", async (target_url, status, data) => {
    const emulator = await startWith({ answers });
    const detail = JSON.stringify({ data });
    expect(await proxy(emulator, "call", { target_url })).toMatchObject({ status, body: { detail } });
  });

  test.each([
    ["/slow", "did not answer in time"],
    ["/moved", "redirect"],
    ["/nothing", "no base URL"],
    ["https://api.crm.example/nothing", "only services on this machine, not https://api.crm.example"],
  ])("is an internal error when it cannot be made: %s", async (target_url, words) => {
    const emulator = await startWith({ answers });
    const answer = await proxy(emulator, "call", { target_url });
    expect(answer).toMatchObject({ status: 400, body: { detail: expect.stringContaining(words) } });
  });

  test.each(["soap", "xml"])("by %s has XML as data", async (kind) => {
    const emulator = await startWith({ answers });
    expect(await proxy(emulator, kind, { target_url: "/soap", data: "<q/>" })).toMatchObject({
      status: 200,
      body: { data: "<Envelope/>" },
    });
    expect(await proxy(emulator, kind, { target_url: "/teapot" })).toMatchObject({
      status: 418,
      body: { detail: '{"data":"short and stout"}' },
    });
  });

  test("needs no connection for a global connector, and is refused for a disconnected one", async () => {
    const emulator = await startWith({ answers });
    const body = { target_url: "/contacts", query_params: { page: "2" } };
    expect((await proxy(emulator, "call", body, "rates")).status).toBe(200);
    expect(await proxy(emulator, "call", body, "own")).toMatchObject({
      status: 400,
      body: { detail: "The connector own of this tenant is not authenticated." },
    });
    expect(await proxy(emulator, "call", body, "fax")).toMatchObject({
      status: 422,
      body: { detail: [{ loc: ["path", "connector_name"] }] },
    });
    expect((await call(emulator, "POST", "/v2/tenants/9/connectors/crm/call", body)).status).toBe(422);
  });

  test.each([
    ["", ["body"]],
    ["[]", ["body"]],
    [{ method: 7 }, ["body", "method"]],
    [{ method: "GE T" }, ["body", "method"]],
    [{ method: "CONNECT" }, ["body", "method"]],
    [{ target_url: 7 }, ["body", "target_url"]],
    [{ query_params: [] }, ["body", "query_params"]],
    [{ headers: { "x\n": "1" } }, ["body", "headers"]],
    [{ body: "text" }, ["body", "body"]],
  ])("is refused when its body is invalid: %j", async (body, loc) => {
    const emulator = await startWith({ answers });
    expect(await proxy(emulator, "call", body)).toMatchObject({ status: 422, body: { detail: [{ loc }] } });
  });

  test("shows nothing of the target in the API", async () => {
    const emulator = await startWith({ answers });
    const { body } = await call(emulator, "GET", "/v2/integrations/1");
    expect(Object(body).connectors[0]).toEqual({ name: "crm", isGlobal: false });
  });
});

describe("a proxy call to a service on this machine", () => {
  test("arrives with method, path, query, headers, body and the connector's credentials", async () => {
    const url = await startService();
    const emulator = await startWith({ url: `${url}/base/`, headers: { authorization: "Bearer t0ken" } });
    const { status, body } = await proxy(emulator, "call", {
      method: "POST",
      target_url: "contacts",
      query_params: { page: 1, tag: ["a", "b"], none: null },
      headers: [{ name: "X-One", value: "1" }, ["x-two", "2"], { key: "Authorization", value: "mine" }],
      body: { name: "Ada" },
    });
    expect(status).toBe(200);
    expect(Object(body).data).toMatchObject({
      method: "POST",
      url: "/base/contacts?page=1&tag=a&tag=b",
      headers: { "x-one": "1", "x-two": "2", authorization: "Bearer t0ken", "content-type": "application/json" },
      body: '{"name":"Ada"}',
    });
  });

  test("goes to the URL on loopback that the call names", async () => {
    const url = await startService();
    const emulator = await startWith({});
    const { body } = await proxy(emulator, "call", { target_url: `${url}/x`, headers: { host: "elsewhere.example" } });
    expect(Object(body).data).toMatchObject({ url: "/x", headers: { host: new URL(url).host } });
  });

  test.each([
    ["soap", "text/xml; charset=utf-8"],
    ["xml", "application/xml"],
  ])("by %s sends XML", async (kind, contentType) => {
    const emulator = await startWith({ url: await startService() });
    const { body } = await proxy(emulator, kind, { target_url: "/x", data: "<q/>" });
    expect(JSON.parse(Object(body).data)).toMatchObject({
      method: "POST",
      headers: { "content-type": contentType },
      body: "<q/>",
    });
  });

  test.each([401, 404, 500])("passes on an error with its status: %i", async (status) => {
    const url = await startService((_request, response) => response.writeHead(status).end('{"error":"x"}'));
    const emulator = await startWith({ url });
    expect(await proxy(emulator, "call", { target_url: "/x" })).toMatchObject({
      status,
      body: { detail: '{"data":{"error":"x"}}' },
    });
  });

  test("is an internal error when it is too slow or cannot be reached", async () => {
    const url = await startService();
    const slow = await startWith({ url, timeout_seconds: 0.05 });
    const answer = await proxy(slow, "call", { target_url: "/slow" });
    expect(answer).toMatchObject({ status: 400, body: { detail: expect.stringContaining("did not answer in time") } });
    const gone = await startWith({ url: "http://127.0.0.1:1/" });
    expect(await proxy(gone, "call", { target_url: "/x" })).toMatchObject({
      status: 400,
      body: { detail: expect.stringContaining("cannot be reached") },
    });
  });

  test("leaves no credentials in the request log", async () => {
    const emulator = await startWith({ url: await startService(), headers: { authorization: "Bearer t0ken" } });
    await proxy(emulator, "call", { target_url: "/x", headers: { cookie: "s3cret" } });
    await proxy(emulator, "call", '{"headers": "s3cret');
    const log = JSON.stringify(emulator.requests());
    expect(log).toContain("/x");
    expect(log).not.toMatch(/s3cret|t0ken/);
  });

  test("is refused by a host name that is not a loopback name", async () => {
    const emulator = await startWith({ url: await startService() });
    const { port } = new URL(emulator.url);
    const question = ask(`${emulator.url}/v2/tenants/1/connectors/crm/call`, {
      method: "POST",
      headers: { host: `elsewhere.example:${port}`, "x-api-key": emulator.apiKey },
    }).end("{}");
    const [answer] = await once(question, "response");
    answer.resume();
    expect(answer.statusCode).toBe(403);
  });

  test("may only have a URL on loopback", async () => {
    await expect(startWith({ url: "http://api.crm.example" })).rejects.toThrow(/URL on loopback/);
  });
});
