import { describe, expect, test } from "vitest";
import {
  AuthenticationError,
  type Client,
  NotFoundError,
  ProxyExternalError,
  ProxyInternalError,
  RateLimitError,
  ServerError,
  UnexpectedResponseError,
  ValidationError,
} from "../../src/api/index.ts";
import { failureOf } from "../failure-of.ts";
import { respondJson, respondText, startServer } from "./scripted-server.ts";

const external = { data: { error: "no such contact" } };

const proxies: [string, (client: Client) => Promise<unknown>][] = [
  ["REST", (client) => client.connectors.call(7, "crm", { method: "GET", target_url: "/contacts/1" })],
  ["SOAP", (client) => client.connectors.callSoap(7, "crm", { method: "POST" })],
  ["XML", (client) => client.connectors.callXml(7, "crm", { method: "POST" })],
];

describe.each(proxies)("a %s call", (_kind, call) => {
  test.each([404, 402, 405, 409, 418, 500, 503, 599])(
    "rejects with the external service's error, recognised by its status: %i",
    async (status) => {
      await using server = await startServer((_request, response) =>
        respondJson(response, status, { detail: JSON.stringify(external) }),
      );

      const error = await failureOf(call(server.client));

      expect(error).toBeInstanceOf(ProxyExternalError);
      expect(error).toMatchObject({
        status,
        externalStatus: status,
        detail: external,
        mayHaveBeenApplied: status >= 500,
      });
      expect(server.requests.length).toBe(1);
    },
  );

  test.each([400, 401, 403, 422])(
    "rejects with the external service's error, recognised by its content: %i",
    async (status) => {
      await using server = await startServer((_request, response) =>
        respondJson(response, status, { detail: JSON.stringify(external) }),
      );

      expect(await failureOf(call(server.client))).toMatchObject({
        name: "ProxyExternalError",
        externalStatus: status,
        detail: external,
      });
    },
  );

  test.each(["{'data': 'no JSON'}", "plain words", `{"data":${"[".repeat(9_000)}${"]".repeat(9_000)}}`])(
    "keeps a detail that is not JSON as a string",
    async (detail) => {
      await using server = await startServer((_request, response) => respondJson(response, 404, { detail }));

      expect(await failureOf(call(server.client))).toMatchObject({ name: "ProxyExternalError", detail });
    },
  );

  test("rejects with an internal error, which leaves open whether the call was applied", async () => {
    await using server = await startServer((_request, response) =>
      respondJson(response, 400, { detail: "crm is not authenticated" }),
    );

    const error = await failureOf(call(server.client));

    expect(error).toBeInstanceOf(ProxyInternalError);
    expect(error).toMatchObject({ mayHaveBeenApplied: true });
    expect(String(error)).toContain("crm is not authenticated");
  });

  test.each([
    ["the platform's own refusal of the key", 403, { detail: "Not authorized" }, AuthenticationError],
    [
      "a refusal of the request",
      422,
      { detail: [{ loc: ["body", "method"], msg: "unknown", type: "t" }] },
      ValidationError,
    ],
    ["an unknown tenant", 404, { message: "Tenant not found." }, NotFoundError],
    ["a failure of the platform", 500, { message: "oops" }, ServerError],
    ["a rate limit of the platform", 429, { message: "slow down" }, RateLimitError],
  ])("rejects with the common errors too: %s", async (_what, status, body, kind) => {
    await using server = await startServer((_request, response) => respondJson(response, status, body), {
      maxAttempts: 2,
    });

    expect(await failureOf(call(server.client))).toBeInstanceOf(kind);
  });
});

describe("the response of a call", () => {
  test.each([[{ contacts: [] }], [[1, 2]], ["<x/>"], [null]])("may hold any JSON: %j", async (data) => {
    await using server = await startServer((_request, response) => respondJson(response, 200, { data }));

    expect(await server.client.connectors.call(7, "crm", {})).toEqual({ data });
  });

  test("must have data", async () => {
    await using server = await startServer((_request, response) => respondJson(response, 200, {}));

    expect(String(await failureOf(server.client.connectors.call(7, "crm", {})))).toContain(
      "data: expected a value, got nothing",
    );
  });

  test("may be XML where the request was XML", async () => {
    await using server = await startServer((_request, response) =>
      respondText(response, 200, "<x>1</x>", { "content-type": "application/xml" }),
    );

    expect(await server.client.connectors.callXml(7, "crm", {})).toBe("<x>1</x>");
    expect(await failureOf(server.client.connectors.call(7, "crm", {}))).toMatchObject({
      name: "UnexpectedResponseError",
    });
  });
});

describe("other endpoints", () => {
  test("reject with the common errors only", async () => {
    await using server = await startServer((_request, response) =>
      respondJson(response, 404, { detail: JSON.stringify(external) }),
    );

    expect(await failureOf(server.client.connectors.disconnect(7, "crm"))).toBeInstanceOf(UnexpectedResponseError);
  });
});
