import { describe, expect, it } from "vitest";
import {
  ApiError,
  AuthenticationError,
  type Client,
  NotFoundError,
  RateLimitError,
  RequestError,
  ServerError,
  UnexpectedResponseError,
  ValidationError,
} from "../../src/api/index.ts";
import { answerJson, answerText, failureOf, messageOf, startServer } from "./scripted-server.ts";

function createTenant(client: Client) {
  return client.tenants.create({ name: "acme", integration_id: 101 });
}

describe("a status becomes an error of its kind", () => {
  it.each([
    [400, ValidationError, false],
    [401, AuthenticationError, false],
    [403, AuthenticationError, false],
    [404, NotFoundError, false],
    [409, RequestError, false],
    [413, RequestError, false],
    [418, RequestError, false],
    [422, ValidationError, false],
    [429, RateLimitError, false],
    [500, ServerError, true],
    [501, ServerError, true],
    [503, ServerError, true],
    [302, UnexpectedResponseError, true],
    [304, UnexpectedResponseError, true],
  ])("%i", async (status, kind, mayHaveBeenApplied) => {
    await using server = await startServer((_request, response) => answerJson(response, status, { message: "no way" }));

    const error = await failureOf(createTenant(server.client));

    expect(error).toBeInstanceOf(kind);
    expect(error).toBeInstanceOf(ApiError);
    expect(error).toMatchObject({ name: kind.name, method: "POST", path: "/v2/tenants", status, mayHaveBeenApplied });
    expect(String(error)).toContain(`POST /v2/tenants`);
    expect(String(error)).toContain(`${status}`);
  });

  it("and never says of a GET that it may have been applied", async () => {
    await using server = await startServer((_request, response) => answerJson(response, 500, {}));

    expect(await failureOf(server.client.metadata.get(7))).toMatchObject({ mayHaveBeenApplied: false });
  });
});

describe("the words of a server", () => {
  const evil = "\u001b]0;owned\u0007\u009b31m \u202eend\r\n";
  it.each<[string, string, object]>([
    ["a message", JSON.stringify({ message: evil }), {}],
    ["details", JSON.stringify({ detail: [{ loc: [evil], msg: evil, type: "t" }] }), {}],
    ["a title", `<html><title>${evil}</title></html>`, { "content-type": "text/html" }],
    ["text", evil, {}],
  ])("cannot steer a terminal: %s", async (_what, body, headers) => {
    await using server = await startServer((_request, response) => answerText(response, 422, body, headers));

    const error = await failureOf(createTenant(server.client));

    expect(String(error)).toContain("end");
    const details = error instanceof ValidationError ? error.details : [];
    expect([String(error), ...details.flatMap(Object.values)].join("")).not.toMatch(/[\p{Cc}\u202e]/u);
  });

  it("cannot do so in a header either", async () => {
    await using server = await startServer((_request, response) =>
      answerText(response, 200, "x", { "content-type": "text/\u009b31m" }),
    );

    const message = await messageOf(server.client.tenants.listPage());

    expect(message).toContain("not JSON (text/ 31m");
  });
});

describe("the message of an error", () => {
  it.each<[string, string, object, string]>([
    ["a message", '{"message":"Tenant not found."}', {}, "Tenant not found."],
    ["a detail that is a string", '{"detail":"Not authorized"}', {}, "Not authorized."],
    [
      "details by field",
      '{"detail":[{"loc":["body","a",0],"msg":"bad","type":"t"},{"loc":["query","limit"],"msg":"big","type":"t"}]}',
      {},
      "a[0]: bad; query.limit: big.",
    ],
    ["JSON of no known shape", '{"oops":[1,2]}', {}, '{"oops":[1,2]}.'],
    ["text, by its first line", "upstream failed\nat line 3", {}, "upstream failed."],
    [
      "HTML, by its title",
      "<!DOCTYPE html><html><head><title>\n Sign  in </title></head>secret",
      {},
      'an HTML page titled "Sign in".',
    ],
    ["HTML without a title", "<p>hello</p>", { "content-type": "text/html; charset=utf-8" }, "an HTML page."],
    ["JSON that is cut short", '{"message":"Tena', {}, '{"message":"Tena.'],
    ["nothing", "", {}, "(status 418)."],
  ])("tells %s", async (_what, body, headers, told) => {
    await using server = await startServer((_request, response) => answerText(response, 418, body, headers));

    expect(await messageOf(createTenant(server.client))).toContain(told);
  });

  it("is short when the server is wordy", async () => {
    await using server = await startServer((_request, response) => answerText(response, 418, "x".repeat(100_000)));

    expect((await messageOf(createTenant(server.client))).length).toBeLessThan(600);
  });

  it("survives a body nested absurdly deep", async () => {
    const deep = `{"detail":${"[".repeat(100_000)}${"]".repeat(100_000)}}`;
    await using server = await startServer((_request, response) => answerText(response, 422, deep));

    expect(await failureOf(createTenant(server.client))).toBeInstanceOf(ValidationError);
  });

  it("survives one with hundreds of thousands of wrong places", async () => {
    const wrong = `{"detail":[{"loc":[${"null,".repeat(200_000)}null],"msg":"x"}]}`;
    await using server = await startServer((_request, response) => answerText(response, 422, wrong));

    expect(await failureOf(createTenant(server.client))).toBeInstanceOf(ValidationError);
  });

  it("survives a body that is not UTF-8", async () => {
    await using server = await startServer((_request, response) =>
      response.writeHead(422).end(Buffer.from([0xff, 0xfe])),
    );

    expect(await failureOf(createTenant(server.client))).toBeInstanceOf(ValidationError);
  });

  it.each([401, 403])("says at %i which variable holds the key", async (status) => {
    await using server = await startServer((_request, response) => answerJson(response, status, {}));

    expect(await messageOf(server.client.tenants.listPage())).toContain("INTEGRATION_PLATFORM_API_KEY");
  });

  it("says at a list that is not found, but not at a record, that the base URL is wrong", async () => {
    await using server = await startServer((_request, response) =>
      answerJson(response, 404, { message: "no such thing" }),
    );

    expect(await messageOf(server.client.tenants.listPage())).toContain(`base URL ${server.url}`);
    expect(await messageOf(server.client.integrations.listPage())).toContain(`base URL ${server.url}`);
    expect(await messageOf(server.client.metadata.get(7))).not.toContain("base URL");
  });

  it("says the same where a 404 is not in the API's words", async () => {
    await using server = await startServer((_request, response) => answerJson(response, 404, { detail: "Not Found" }));

    expect(await messageOf(server.client.metadata.get(7))).toContain(`base URL ${server.url}`);
  });

  it("asks at HTML whether this is the API", async () => {
    await using server = await startServer((_request, response) => answerText(response, 502, "<html></html>"));

    expect(await messageOf(createTenant(server.client))).toContain(
      `Try again later. Is ${server.url} the API's base address?`,
    );
  });

  it("warns where the request may have taken effect", async () => {
    await using server = await startServer((_request, response) => answerJson(response, 500, {}));

    expect(await messageOf(createTenant(server.client))).toContain("look before asking again");
    expect(await messageOf(server.client.metadata.get(7))).not.toContain("look before asking again");
  });

  it("leaves out the query", async () => {
    await using server = await startServer((_request, response) => answerJson(response, 404, {}));

    const error = await failureOf(server.client.tenants.listPage({ userName: "ada@example.com" }));

    expect(error).toMatchObject({ path: "/v2/tenants" });
    expect(String(error)).not.toContain("ada");
  });
});

describe("the details of a validation error", () => {
  it.each([
    [
      "HTTPValidationError",
      { detail: [{ loc: ["body", "configs", "region"], msg: "unknown region", type: "enum" }] },
      [{ path: "configs.region", message: "unknown region" }],
    ],
    ["ErrorMessage", { message: "unknown region" }, [{ path: "", message: "unknown region" }]],
    ["a string", { detail: "unknown region" }, [{ path: "", message: "unknown region" }]],
    ["anything else", { wrong: true }, []],
  ])("come from %s", async (_shape, body, details) => {
    await using server = await startServer((_request, response) => answerJson(response, 422, body));

    expect(await failureOf(createTenant(server.client))).toMatchObject({ details });
  });
});
