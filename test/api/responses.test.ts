import { describe, expect, test } from "vitest";
import { UnexpectedResponseError } from "../../src/api/index.ts";
import { failureOf } from "../failure-of.ts";
import { messageOf, respondJson, respondText, startServer } from "./scripted-server.ts";

const tenant = { id: 7, name: "acme" };

describe("a body of another shape", () => {
  test.each<[string, unknown, string]>([
    [
      "an id that is a string",
      [tenant, tenant, tenant, { id: "s3cret", name: "x" }],
      "[3].id: expected number, got string",
    ],
    ["an id that is missing", [{ name: "x" }], "[0].id: expected number, got nothing"],
    ["an id that is null", [{ id: null, name: "x" }], "[0].id: expected number, got null"],
    ["an id that is no integer", [{ id: 1.5, name: "x" }], "[0].id: expected int, got number"],
    ["configs that are a list", [{ ...tenant, configs: ["s3cret"] }], "[0].configs: expected object, got array"],
    ["a paused that is a string", [{ ...tenant, paused: "s3cret" }], "[0].paused: expected boolean, got string"],
    [
      "a connector without a status",
      [{ ...tenant, status: { auth: { connectors: [{ name: "s3cret" }] } } }],
      "[0].status.auth.connectors[0].status: expected string, got nothing",
    ],
    ["several mistakes", [{}, {}], "[0].id: expected number, got nothing (and 3 more)"],
    ["an object for a list", { items: [] }, "the body: expected array, got object"],
    ["null for a list", null, "the body: expected array, got null"],
  ])("is described by path and types, without the value: %s", async (_what, body, expected) => {
    await using server = await startServer((_request, response) => respondJson(response, 200, body));

    const error = await failureOf(server.client.tenants.listPage());

    expect(error).toBeInstanceOf(UnexpectedResponseError);
    expect(error).toMatchObject({ status: 200, method: "GET", path: "/v2/tenants", mayHaveBeenApplied: false });
    expect(String(error)).toContain(expected);
    expect(String(error)).not.toContain("s3cret");
  });

  test("sets mayHaveBeenApplied of a write", async () => {
    await using server = await startServer((_request, response) => respondJson(response, 200, { id: "7" }));

    expect(await failureOf(server.client.tenants.create({ name: "acme", integration_id: 1 }))).toMatchObject({
      name: "UnexpectedResponseError",
      mayHaveBeenApplied: true,
    });
  });
});

describe("a body that is not JSON", () => {
  test.each([
    ["HTML", "<!doctype html><title>Sign in</title>", 'an HTML page titled "Sign in"'],
    ["cut short", '[{"id":7,"name":"s3cr', "JSON that is cut short or malformed"],
    ["text", "s3cret", "not JSON (text/plain, 6 bytes)"],
    ["empty", "", "an empty body"],
    ["nested very deep", `[${"[".repeat(300_000)}${"]".repeat(300_000)}]`, "nested more than 200 levels deep"],
    [
      "nested deep in a free-form part",
      `[{"id":7,"name":"x","configs":${'{"a":'.repeat(5_000)}1${"}".repeat(5_000)}}]`,
      "nested more than 200",
    ],
  ])("is described: %s", async (_what, body, expected) => {
    await using server = await startServer((_request, response) => respondText(response, 200, body));

    const error = await failureOf(server.client.tenants.listPage());

    expect(error).toBeInstanceOf(UnexpectedResponseError);
    expect(String(error)).toContain(expected);
    expect(String(error)).not.toContain("s3cr");
  });

  test("is described: not UTF-8", async () => {
    await using server = await startServer((_request, response) => response.end(Buffer.from([0x22, 0xff, 0x22])));

    expect(await messageOf(server.client.tenants.listPage())).toContain("not UTF-8");
  });

  test("is an error even for a write whose response is not documented", async () => {
    await using server = await startServer((_request, response) => respondText(response, 200, "<html>Sign in</html>"));

    expect(await failureOf(server.client.tenants.archive(7))).toBeInstanceOf(UnexpectedResponseError);
    expect(await failureOf(server.client.tenants.update(7, {}))).toBeInstanceOf(UnexpectedResponseError);
    expect(await failureOf(server.client.connectors.disconnect(7, "crm"))).toBeInstanceOf(UnexpectedResponseError);
  });
});

describe("an undocumented response", () => {
  test.each([
    ["nothing", ""],
    ["an empty object", "{}"],
    ["null", "null"],
    ["a message", '{"message":"done"}'],
    ["another tenant", '{"id":8,"name":"globex"}'],
    ["a list", "[]"],
  ])("to an update may be %s, which is no tenant", async (_what, body) => {
    await using server = await startServer((_request, response) => respondText(response, 200, body));

    expect(await server.client.tenants.update(7, { paused: true })).toBeUndefined();
  });

  test.each(["", "{}", "null", '{"message":"none"}'])(
    "to a tenant's release may be %j, which is no release",
    async (body) => {
      await using server = await startServer((_request, response) => respondText(response, 200, body));

      expect(await server.client.tenants.getRelease(7)).toBeUndefined();
    },
  );

  test("to an archive may have no body", async () => {
    await using server = await startServer((_request, response) => response.writeHead(204).end());

    expect(await server.client.tenants.archive(7)).toBeUndefined();
  });

  test("to a build may be anything", async () => {
    await using server = await startServer((_request, response, number) =>
      number === 1 ? respondJson(response, 201, ["queued", 1]) : response.writeHead(201).end(),
    );

    expect(await server.client.builds.create({ tag: "v1", integration_id: 1 })).toEqual(["queued", 1]);
    expect(await server.client.builds.create({ tag: "v1", integration_id: 1 })).toBeUndefined();
  });
});

describe("a redirect", () => {
  test.each([301, 302, 303, 307, 308])("is not followed, so that the key is not sent elsewhere: %i", async (status) => {
    await using elsewhere = await startServer((_request, response) => respondJson(response, 200, []));
    await using server = await startServer((_request, response) =>
      response.writeHead(status, { location: `${elsewhere.url}/login?token=t0ken` }).end(),
    );

    const error = await failureOf(server.client.tenants.listPage());

    expect(error).toBeInstanceOf(UnexpectedResponseError);
    expect(String(error)).toContain(`${elsewhere.url}/login`);
    expect(String(error)).not.toContain("t0ken");
    expect(elsewhere.requests).toEqual([]);
  });
});
