import { describe, expect, test } from "vitest";
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
import { failureOf } from "../failure-of.ts";
import { messageOf, respondJson, respondText, startServer } from "./scripted-server.ts";

function createTenant(client: Client) {
  return client.tenants.create({ name: "acme", integration_id: 101 });
}

describe("each status becomes an error of its class", () => {
  test.each([
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
    await using server = await startServer((_request, response) =>
      respondJson(response, status, { message: "no way" }),
    );

    const error = await failureOf(createTenant(server.client));

    expect(error).toBeInstanceOf(kind);
    expect(error).toBeInstanceOf(ApiError);
    expect(error).toMatchObject({ name: kind.name, method: "POST", path: "/v2/tenants", status, mayHaveBeenApplied });
    expect(String(error)).toContain(`POST /v2/tenants`);
    expect(String(error)).toContain(`${status}`);
  });

  test("mayHaveBeenApplied is false for a GET", async () => {
    await using server = await startServer((_request, response) => respondJson(response, 500, {}));

    expect(await failureOf(server.client.metadata.get(7))).toMatchObject({ mayHaveBeenApplied: false });
  });
});

describe("a 404", () => {
  const validationError = { detail: [{ loc: ["path", "tenant_id"], msg: "unknown", type: "t" }] };

  test.each<[string, object]>([
    ["an ErrorMessage", { message: "Tenant not found." }],
    ["an HTTPValidationError", validationError],
  ])("of the platform means that a record does not exist: %s", async (_shape, body) => {
    await using server = await startServer((_request, response) => respondJson(response, 404, body));

    expect(await failureOf(server.client.metadata.get(7))).toBeInstanceOf(NotFoundError);
    expect(server.requests).toHaveLength(1);
  });

  const html = "<html><title>404 Not Found</title></html>";
  const others: [string, string, string][] = [
    ["the text of an ingress", "404 page not found\n", "text/plain"],
    ["a page", html, "text/html"],
    ["nothing", "", "text/plain"],
    ["an empty object", "{}", "application/json"],
    ["an unknown route", '{"detail":"Not Found"}', "application/json"],
    ["another object", '{"error":"not_found"}', "application/json"],
    ["a list", '[{"message":"no"}]', "application/json"],
    ["an ErrorMessage that is cut short", '{"message":"Tenant', "application/json"],
  ];

  test.each(others)("of another server does not: %s", async (_what, body, contentType) => {
    await using server = await startServer((_request, response) =>
      respondText(response, 404, body, { "content-type": contentType }),
    );
    const { client, url } = server;
    for (const write of [() => client.metadata.update(7, {}), () => client.tenants.archive(7)]) {
      const error = await failureOf(write());
      expect(error).toBeInstanceOf(UnexpectedResponseError);
      expect(error).toMatchObject({ status: 404, mayHaveBeenApplied: false });
      expect(error.message).toContain(`Check the base URL ${url}`);
    }
  });

  test.each(others)("of another server is requested again, as after a 503: %s", async (_what, body, contentType) => {
    const metadata = { tenant_id: 7, data: { plan: "gold" } };
    await using server = await startServer((_request, response, number) =>
      number < 3
        ? respondText(response, 404, body, { "content-type": contentType })
        : respondJson(response, 200, metadata),
    );

    expect(await server.client.metadata.get(7)).toMatchObject(metadata);
    expect(server.requests).toHaveLength(3);
  });
});

describe("the message of a server", () => {
  const blank = { loc: ["body", "name"], msg: "blank", type: "t" };
  const evil = "\u001b]0;owned\u0007\u009b31m \u202eend\r\n";
  test.each<[string, string, object]>([
    ["a message", JSON.stringify({ message: evil }), {}],
    ["details", JSON.stringify({ detail: [{ loc: [evil], msg: evil, type: "t" }] }), {}],
    ["a title", `<html><title>${evil}</title></html>`, { "content-type": "text/html" }],
    ["text", evil, {}],
  ])("loses its control characters: %s", async (_what, body, headers) => {
    await using server = await startServer((_request, response) => respondText(response, 400, body, headers));

    const error = await failureOf(createTenant(server.client));

    expect(String(error)).toContain("end");
    const details = error instanceof ValidationError ? error.details : [];
    expect([String(error), ...details.flatMap(Object.values)].join("")).not.toMatch(/[\p{Cc}\u202e]/u);
  });

  test.each<[string, string, string]>([
    [
      "the path and the message of each detail",
      JSON.stringify({ detail: [{ ...blank, input: "sent" }] }),
      ": name: blank.",
    ],
    ["its message", JSON.stringify({ message: "blank" }), ": blank."],
    ["a detail that is a string", JSON.stringify({ detail: "blank" }), ": blank."],
    ["nothing of details of another form", JSON.stringify({ detail: [{ msg: "blank", input: "sent" }] }), "."],
    ["nothing of other JSON", JSON.stringify({ request: { name: "sent" } }), "."],
    ["nothing of text", "sent", "."],
    ["nothing of a page", "<html><title>sent</title></html>", "."],
  ])("of a 422 is %s, as its other parts may repeat the request", async (_what, body, shown) => {
    await using server = await startServer((_request, response) => respondText(response, 422, body));

    const message = await messageOf(createTenant(server.client));

    expect(message).toContain(`POST /v2/tenants: refused as invalid (status 422)${shown} Correct the request.`);
    expect(message).not.toContain("sent");
  });

  test("loses them in a header too", async () => {
    await using server = await startServer((_request, response) =>
      respondText(response, 200, "x", { "content-type": "text/\u009b31m" }),
    );

    const message = await messageOf(server.client.tenants.listPage());

    expect(message).toContain("not JSON (text/ 31m");
  });
});

describe("the message of an error", () => {
  test.each<[string, string, object, string]>([
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
  ])("contains %s", async (_what, body, headers, expected) => {
    await using server = await startServer((_request, response) => respondText(response, 418, body, headers));

    expect(await messageOf(createTenant(server.client))).toContain(expected);
  });

  test("is short where the body is long", async () => {
    await using server = await startServer((_request, response) => respondText(response, 418, "x".repeat(100_000)));

    expect((await messageOf(createTenant(server.client))).length).toBeLessThan(600);
  });

  test.each([
    ["😀", "😀."],
    ["😀😀", "😀..."],
  ])("is not cut within a character: %s", async (end, expected) => {
    const start = "x".repeat(299);
    await using server = await startServer((_request, response) =>
      respondJson(response, 422, { message: start + end }),
    );

    expect(await messageOf(createTenant(server.client))).toContain(start + expected);
  });

  test("is built for a body nested 100,000 levels deep", async () => {
    const deep = `{"detail":${"[".repeat(100_000)}${"]".repeat(100_000)}}`;
    await using server = await startServer((_request, response) => respondText(response, 422, deep));

    expect(await failureOf(createTenant(server.client))).toBeInstanceOf(ValidationError);
  });

  test("is built for a body with hundreds of thousands of mismatches", async () => {
    const wrong = `{"detail":[{"loc":[${"null,".repeat(200_000)}null],"msg":"x"}]}`;
    await using server = await startServer((_request, response) => respondText(response, 422, wrong));

    expect(await failureOf(createTenant(server.client))).toBeInstanceOf(ValidationError);
  });

  test("is built for a body that is not UTF-8", async () => {
    await using server = await startServer((_request, response) =>
      response.writeHead(422).end(Buffer.from([0xff, 0xfe])),
    );

    expect(await failureOf(createTenant(server.client))).toBeInstanceOf(ValidationError);
  });

  test.each([401, 403])("names the variable of the key for a %i", async (status) => {
    await using server = await startServer((_request, response) => respondJson(response, status, {}));

    expect(await messageOf(server.client.tenants.listPage())).toContain("INTEGRATION_PLATFORM_API_KEY");
  });

  test("asks to check the base URL where a list is not found, but not where a record is not found", async () => {
    await using server = await startServer((_request, response) =>
      respondJson(response, 404, { message: "no such thing" }),
    );

    expect(await messageOf(server.client.tenants.listPage())).toContain(`base URL ${server.url}`);
    expect(await messageOf(server.client.integrations.listPage())).toContain(`base URL ${server.url}`);
    expect(await messageOf(server.client.metadata.get(7))).not.toContain("base URL");
  });

  test("asks to check the base URL where a 404 has not the API's shape", async () => {
    await using server = await startServer((_request, response) => respondJson(response, 404, { detail: "Not Found" }));

    expect(await messageOf(server.client.metadata.get(7))).toContain(`base URL ${server.url}`);
  });

  test("asks to check the base URL for an HTML body", async () => {
    await using server = await startServer((_request, response) => respondText(response, 502, "<html></html>"));

    expect(await messageOf(createTenant(server.client))).toContain(
      `Try again later. Check that ${server.url} is the API's base URL.`,
    );
  });

  test("warns that a failed write may have taken effect", async () => {
    await using server = await startServer((_request, response) => respondJson(response, 500, {}));

    expect(await messageOf(createTenant(server.client))).toContain("check before you repeat it");
    expect(await messageOf(server.client.metadata.get(7))).not.toContain("check before you repeat it");
  });

  test("leaves out the query", async () => {
    await using server = await startServer((_request, response) => respondJson(response, 404, {}));

    const error = await failureOf(server.client.tenants.listPage({ userName: "ada@example.com" }));

    expect(error).toMatchObject({ path: "/v2/tenants" });
    expect(String(error)).not.toContain("ada");
  });
});

describe("the details of a validation error", () => {
  test.each([
    [
      "HTTPValidationError",
      { detail: [{ loc: ["body", "configs", "region"], msg: "unknown region", type: "enum" }] },
      [{ path: "configs.region", message: "unknown region" }],
    ],
    ["ErrorMessage", { message: "unknown region" }, [{ path: "", message: "unknown region" }]],
    ["a string", { detail: "unknown region" }, [{ path: "", message: "unknown region" }]],
    ["anything else", { wrong: true }, []],
  ])("come from %s", async (_shape, body, details) => {
    await using server = await startServer((_request, response) => respondJson(response, 422, body));

    expect(await failureOf(createTenant(server.client))).toMatchObject({ details });
  });
});
