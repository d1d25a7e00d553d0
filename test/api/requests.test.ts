import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { type Client, ConfigurationError } from "../../src/api/index.ts";
import { apiKey, respondJson, startServer } from "./scripted-server.ts";

function fixture(name: string, variant = "full") {
  return JSON.parse(readFileSync(new URL(`../fixtures/spec/${name}.json`, import.meta.url), "utf8"))[variant];
}

const tenant = fixture("tenant");
const trigger = fixture("trigger");
const release = fixture("integration-release");

interface Row {
  does: string;
  call: (client: Client) => Promise<unknown>;
  sends: string;
  body?: unknown;
  status?: number;
  response: unknown;
  result?: unknown;
}

const rows: Row[] = [
  {
    does: "lists integrations",
    call: (c) => c.integrations.listPage(),
    sends: "GET /v2/integrations",
    response: [fixture("integration")],
  },
  {
    does: "lists a page of archived integrations, sorted",
    call: (c) =>
      c.integrations.listPage({ archived: true, sortBy: { field: "name", direction: "DESC" }, limit: 10, skip: 20 }),
    sends: "GET /v2/integrations?archived=true&sort_by=name__DESC&limit=10&skip=20",
    response: [],
  },
  {
    does: "gets an integration",
    call: (c) => c.integrations.get(101),
    sends: "GET /v2/integrations/101",
    response: fixture("integration"),
  },
  {
    does: "requests a sync by integration and user",
    call: (c) => c.integrations.sync(101, { mode: "init", userName: "ada & co", body: { full: true } }),
    sends: "POST /v2/integrations/101/sync?mode=init&user_name=ada+%26+co",
    body: { full: true },
    status: 202,
    response: trigger,
  },
  {
    does: "lists releases",
    call: (c) => c.releases.list(101),
    sends: "GET /v2/integrations/101/releases",
    response: [release],
  },
  {
    does: "gets a release",
    call: (c) => c.releases.get(101, 901),
    sends: "GET /v2/integrations/101/releases/901",
    response: release,
  },
  {
    does: "gets the default release",
    call: (c) => c.releases.getDefault(101),
    sends: "GET /v2/integrations/101/releases/default",
    response: release,
  },
  {
    does: "gets the latest release",
    call: (c) => c.releases.getLatest(101),
    sends: "GET /v2/integrations/101/releases/latest",
    response: release,
  },
  {
    does: "lists tenants of an integration and a user",
    call: (c) => c.tenants.listPage({ integrationId: 101, userName: "ada", archived: false, limit: 500, skip: 0 }),
    sends: "GET /v2/tenants?integration_id=101&user_name=ada&archived=false&limit=500&skip=0",
    response: [tenant],
  },
  ...["full", "channel", "nulls", "minimal"].map((variant) => ({
    does: `creates a tenant, ${variant}`,
    call: (c: Client) => c.tenants.create(fixture("create-tenant", variant)),
    sends: "POST /v2/tenants",
    body: fixture("create-tenant", variant),
    response: tenant,
  })),
  {
    does: "updates a tenant",
    call: (c) => c.tenants.update(7, { paused: false, user_schedule: null, name: undefined }),
    sends: "PATCH /v2/tenants/7",
    body: { paused: false, user_schedule: null },
    response: tenant,
  },
  {
    does: "archives a tenant",
    call: (c) => c.tenants.archive(7),
    sends: "DELETE /v2/tenants/7",
    response: { archived: 7 },
    result: undefined,
  },
  {
    does: "gets a tenant's release",
    call: (c) => c.tenants.getRelease(7),
    sends: "GET /v2/tenants/7/release",
    response: release,
  },
  {
    does: "requests a sync by tenant",
    call: (c) => c.tenants.sync(7, { mode: "normal" }),
    sends: "POST /v2/tenants/7/sync?mode=normal",
    status: 202,
    response: trigger,
  },
  {
    does: "gets metadata",
    call: (c) => c.metadata.get(7),
    sends: "GET /v2/tenants/7/metadata",
    response: fixture("tenant-metadata"),
  },
  {
    does: "updates metadata",
    call: (c) => c.metadata.update(7, { plan: "gold" }),
    sends: "PATCH /v2/tenants/7/metadata",
    body: { plan: "gold" },
    response: fixture("tenant-metadata"),
  },
  ...["full", "nulls", "minimal"].map((variant) => ({
    does: `creates a build, ${variant}`,
    call: (c: Client) => c.builds.create(fixture("create-build", variant)),
    sends: "POST /v2/sourcecontrol/build",
    body: fixture("create-build", variant),
    status: 201,
    response: { id: 1 },
  })),
  {
    does: "gets a trigger's status",
    call: (c) => c.runs.getTriggerStatus("a/b c"),
    sends: "GET /v2/runs/triggers/a%2Fb%20c/status",
    response: fixture("trigger-status"),
  },
  {
    does: "disconnects a connector",
    call: (c) => c.connectors.disconnect(7, "crm"),
    sends: "PATCH /v2/tenants/7/connectors/crm/disconnect",
    response: {},
    result: undefined,
  },
  ...["full", "list-headers", "nulls", "minimal"].map((variant) => ({
    does: `makes a REST call, ${variant}`,
    call: (c: Client) => c.connectors.call(7, "crm", fixture("proxy-rest-request-body", variant)),
    sends: "POST /v2/tenants/7/connectors/crm/call",
    body: fixture("proxy-rest-request-body", variant),
    response: fixture("proxy-response"),
  })),
  {
    does: "makes a SOAP call with fields that are not documented",
    call: (c) => c.connectors.callSoap(7, "crm", { method: "POST", data: "<x/>" }),
    sends: "POST /v2/tenants/7/connectors/crm/soap",
    body: { method: "POST", data: "<x/>" },
    response: fixture("proxy-response"),
  },
  {
    does: "makes an XML call",
    call: (c) => c.connectors.callXml(7, "crm", { data: "<x/>" }),
    sends: "POST /v2/tenants/7/connectors/crm/xml",
    body: { data: "<x/>" },
    response: { any: [1] },
  },
];

describe("each method of the client", () => {
  test.each(rows)("$does", async ({ call, sends, body, status = 200, response: sent, ...row }) => {
    await using server = await startServer((_request, response) => respondJson(response, status, sent));

    const result = await call(server.client);

    const [request] = server.requests;
    expect(`${request?.method} ${request?.url}`).toBe(sends);
    expect(request?.headers["x-api-key"]).toBe(apiKey);
    expect(request?.body ?? "").toBe(body === undefined ? "" : JSON.stringify(body));
    expect(request?.headers["content-type"]).toBe(body === undefined ? undefined : "application/json");
    expect(result).toEqual("result" in row ? row.result : sent);
  });
});

describe("a request", () => {
  test("keeps the path of the base URL as a prefix", async () => {
    await using server = await startServer((_request, response) => respondJson(response, 200, []));
    const { createClient } = await import("../../src/api/index.ts");
    const client = createClient({ baseUrl: `${server.url}/eu/api/`, apiKey });

    await client.releases.list(1);
    await client.close();

    expect(server.requests[0]?.url).toBe("/eu/api/v2/integrations/1/releases");
  });

  const texts: [string, (client: Client, text: string) => Promise<unknown>, string][] = [
    ["a trigger", (c, text) => c.runs.getTriggerStatus(text), "/v2/runs/triggers/*/status"],
    ["a connector", (c, text) => c.connectors.disconnect(7, text), "/v2/tenants/7/connectors/*/disconnect"],
    ["a call's connector", (c, text) => c.connectors.call(7, text, {}), "/v2/tenants/7/connectors/*/call"],
    ["a SOAP call's connector", (c, text) => c.connectors.callSoap(7, text, {}), "/v2/tenants/7/connectors/*/soap"],
    ["an XML call's connector", (c, text) => c.connectors.callXml(7, text, {}), "/v2/tenants/7/connectors/*/xml"],
  ];
  test.each(texts)("keeps its path whatever the name of %s is", async (_what, call, place) => {
    await using server = await startServer((_request, response) =>
      respondJson(response, 200, { data: 1, status: "x" }),
    );
    const hostile = [
      "../x",
      "a/b",
      "..%2f",
      "%2f",
      "%2e%2e",
      "..\\x",
      "a?b=c",
      "a#b",
      "//evil.example/",
      "@evil.example:1/",
    ];
    const odd = ["ü 🙂", "a\r\nx-api-key: b", "\u0000", " ", "...", ".a", "a;b", "http://evil.example/"];

    for (const text of [...hostile, ...odd]) {
      await call(server.client, text);

      const { url, headers } = server.requests.at(-1) ?? {};
      expect(url).toBe(place.replace("*", encodeURIComponent(text)));
      expect(headers?.host).toBe(new URL(server.url).host);
    }
    for (const text of [".", ".."]) await expect(call(server.client, text)).rejects.toBeInstanceOf(ConfigurationError);
    expect(server.requests.length).toBe(hostile.length + odd.length);
  });

  test.each<[string, (client: Client) => Promise<unknown>]>([
    ["an id that is not an integer", (c) => c.tenants.archive(1.5)],
    ["an id that is not a number", (c) => c.integrations.get(Number.NaN)],
    ["an empty name", (c) => c.connectors.disconnect(7, "")],
    ["a name that is a parent folder", (c) => c.connectors.disconnect(7, "..")],
    ["a name with half of a surrogate pair", (c) => c.runs.getTriggerStatus("\ud800")],
    ["a body that JSON cannot hold", (c) => c.metadata.update(7, circular())],
  ])("is not sent for %s", async (_what, call) => {
    await using server = await startServer((_request, response) => respondJson(response, 200, {}));

    await expect(call(server.client)).rejects.toBeInstanceOf(ConfigurationError);
    expect(server.requests).toEqual([]);
  });

  test("is not sent by a closed client", async () => {
    await using server = await startServer((_request, response) => respondJson(response, 200, []));

    await server.client.close();
    await server.client.close();

    await expect(server.client.tenants.listPage()).rejects.toBeInstanceOf(ConfigurationError);
    expect(server.requests).toEqual([]);
  });
});

function circular() {
  const object: Record<string, never> = {};
  return Object.assign(object, { self: object });
}
