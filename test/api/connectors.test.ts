import { describe, expect, it } from "vitest";
import {
  AuthenticationError,
  type Client,
  NotFoundError,
  ProxyExternalError,
  ProxyInternalError,
  RateLimitError,
  ServerError,
  ValidationError,
} from "../../src/api/index.ts";
import { answerJson, answerText, failureOf, startServer } from "./scripted-server.ts";

const external = { data: { error: "no such contact" } };

const proxies: [string, (client: Client) => Promise<unknown>][] = [
  ["REST", (client) => client.connectors.call(7, "crm", { method: "GET", target_url: "/contacts/1" })],
  ["SOAP", (client) => client.connectors.callSoap(7, "crm", { method: "POST" })],
  ["XML", (client) => client.connectors.callXml(7, "crm", { method: "POST" })],
];

describe.each(proxies)("a %s call", (_kind, call) => {
  it.each([404, 402, 405, 409, 418, 500, 503, 599])(
    "tells the external service's error by its status: %i",
    async (status) => {
      await using server = await startServer((_request, response) =>
        answerJson(response, status, { detail: JSON.stringify(external) }),
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

  it.each([400, 401, 403, 422])(
    "tells it by its content where the status could be the platform's own: %i",
    async (status) => {
      await using server = await startServer((_request, response) =>
        answerJson(response, status, { detail: JSON.stringify(external) }),
      );

      expect(await failureOf(call(server.client))).toMatchObject({
        name: "ProxyExternalError",
        externalStatus: status,
        detail: external,
      });
    },
  );

  it.each(["{'data': 'no JSON'}", "plain words", `{"data":${"[".repeat(9_000)}${"]".repeat(9_000)}}`])(
    "keeps a detail that does not parse as it is",
    async (detail) => {
      await using server = await startServer((_request, response) => answerJson(response, 404, { detail }));

      expect(await failureOf(call(server.client))).toMatchObject({ name: "ProxyExternalError", detail });
    },
  );

  it("tells an internal error, of which nobody knows how far the call came", async () => {
    await using server = await startServer((_request, response) =>
      answerJson(response, 400, { detail: "crm is not authenticated" }),
    );

    const error = await failureOf(call(server.client));

    expect(error).toBeInstanceOf(ProxyInternalError);
    expect(error).toMatchObject({ mayHaveBeenApplied: true });
    expect(String(error)).toContain("crm is not authenticated");
  });

  it.each([
    ["the platform's own refusal of the key", 403, { detail: "Not authorized" }, AuthenticationError],
    [
      "a refusal of the request",
      422,
      { detail: [{ loc: ["body", "method"], msg: "unknown", type: "t" }] },
      ValidationError,
    ],
    ["a tenant that is not there", 404, { message: "Tenant not found." }, NotFoundError],
    ["a failure of the platform", 500, { message: "oops" }, ServerError],
    ["a rate limit of the platform", 429, { message: "slow down" }, RateLimitError],
  ])("has the common errors too: %s", async (_what, status, body, kind) => {
    await using server = await startServer((_request, response) => answerJson(response, status, body), {
      maxAttempts: 2,
    });

    expect(await failureOf(call(server.client))).toBeInstanceOf(kind);
  });
});

describe("the answer of a call", () => {
  it.each([[{ contacts: [] }], [[1, 2]], ["<x/>"], [null]])(
    "is whatever the external service said: %j",
    async (data) => {
      await using server = await startServer((_request, response) => answerJson(response, 200, { data }));

      expect(await server.client.connectors.call(7, "crm", {})).toEqual({ data });
    },
  );

  it("has to have data", async () => {
    await using server = await startServer((_request, response) => answerJson(response, 200, {}));

    expect(String(await failureOf(server.client.connectors.call(7, "crm", {})))).toContain(
      "data: expected a value, got nothing",
    );
  });

  it("may be XML where XML was asked for", async () => {
    await using server = await startServer((_request, response) =>
      answerText(response, 200, "<x>1</x>", { "content-type": "application/xml" }),
    );

    expect(await server.client.connectors.callXml(7, "crm", {})).toBe("<x>1</x>");
    expect(await failureOf(server.client.connectors.call(7, "crm", {}))).toMatchObject({
      name: "UnexpectedResponseError",
    });
  });
});

describe("the common errors", () => {
  it("are all that other endpoints have", async () => {
    await using server = await startServer((_request, response) =>
      answerJson(response, 404, { detail: JSON.stringify(external) }),
    );

    expect(await failureOf(server.client.connectors.disconnect(7, "crm"))).toBeInstanceOf(NotFoundError);
  });
});
