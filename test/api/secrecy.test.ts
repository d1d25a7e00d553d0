import type { ServerResponse } from "node:http";
import { createServer } from "node:net";
import { inspect } from "node:util";
import { describe, expect, test } from "vitest";
import { type Client, createClient } from "../../src/api/index.ts";
import { failureOf } from "../failure-of.ts";
import { listen } from "../listen.ts";
import { apiKey, respondJson, respondText, startServer } from "./scripted-server.ts";

function shown(error: unknown): string {
  return inspect(error, { depth: 20, showHidden: true });
}

const escaped = [...apiKey].map((character) => `\\u00${character.charCodeAt(0).toString(16)}`).join("");

const echoes: [string, (response: ServerResponse) => void][] = [
  ["a message", (response) => respondJson(response, 403, { message: `the key ${apiKey} is revoked` })],
  ["a detail", (response) => respondJson(response, 401, { detail: `x-api-key=${apiKey}` })],
  [
    "details",
    (response) =>
      respondJson(response, 422, { detail: [{ loc: ["header", apiKey], msg: `bad ${apiKey}`, type: "t" }] }),
  ],
  ["JSON escapes", (response) => respondText(response, 422, `{"detail":"${escaped}"}`)],
  [
    "details in JSON escapes",
    (response) => respondText(response, 422, `{"detail":[{"loc":["${escaped}"],"msg":"${escaped}","type":""}]}`),
  ],
  ["other JSON", (response) => respondJson(response, 409, { headers: { "x-api-key": apiKey } })],
  ["text", (response) => respondText(response, 500, `GET / x-api-key: ${apiKey}`)],
  ["text, where it is cut", (response) => respondText(response, 500, `${"x".repeat(295)}${apiKey}`)],
  ["a URL", (response) => respondText(response, 400, `/login?key=${encodeURIComponent(apiKey)}`)],
  ["an HTML title", (response) => respondText(response, 502, `<html><title>${apiKey}</title></html>`)],
  ["HTML with status 200", (response) => respondText(response, 200, `<html><title>${apiKey}</title></html>`)],
  ["a value", (response) => respondJson(response, 200, [{ id: apiKey, name: apiKey }])],
  ["a body that is not JSON", (response) => respondText(response, 200, apiKey)],
  ["a content type", (response) => respondText(response, 200, "x", { "content-type": apiKey })],
  ["a redirect", (response) => response.writeHead(302, { location: `/login/${apiKey}?key=${apiKey}` }).end()],
];

const calls: [string, (client: Client) => Promise<unknown>][] = [
  ["a list", (client) => client.tenants.listPage()],
  ["a write", (client) => client.tenants.create({ name: "acme", integration_id: 1 })],
  ["a proxy call", (client) => client.connectors.call(7, "crm", {})],
];

describe.each(calls)("no error of %s shows the API key", (_kind, call) => {
  test.each(echoes)("that the server echoes in %s", async (_where, echo) => {
    await using server = await startServer((_request, response) => echo(response), { maxAttempts: 2 });

    const error = shown(await failureOf(call(server.client)));

    expect(error).not.toContain(apiKey);
    expect(error).not.toContain(encodeURIComponent(apiKey));
    // Where a message is cut, not even the beginning of the key is left.
    expect(error).not.toContain(apiKey.slice(0, 8));
  });
});

describe("no error shows the API key", () => {
  test("in a proxy error's parsed detail", async () => {
    await using server = await startServer((_request, response) =>
      respondJson(response, 404, { detail: JSON.stringify({ data: { echoed: apiKey } }) }),
    );

    const error = await failureOf(server.client.connectors.call(7, "crm", {}));

    expect(error).toMatchObject({ detail: { data: { echoed: "[API key]" } } });
    expect(shown(error)).not.toContain(apiKey);
  });

  test("in a proxy error's detail that spells it with escapes", async () => {
    await using server = await startServer((_request, response) =>
      respondJson(response, 404, { detail: `{"data":{"echoed":"${escaped}"}}` }),
    );

    const error = await failureOf(server.client.connectors.call(7, "crm", {}));

    expect(error).toMatchObject({ detail: { data: { echoed: "[API key]" } } });
    expect(shown(error)).not.toContain(apiKey);
  });

  test.each([
    ["at once", ""],
    ["after more text than Node.js shows", "x".repeat(20_000)],
  ])("when the server echoes the raw request instead of HTTP, %s", async (_when, before) => {
    const server = createServer((socket) => {
      socket.on("error", () => {}).once("data", (data) => socket.end(`${before}${data}`));
    });
    const baseUrl = await listen(server);
    const client = createClient({ baseUrl, apiKey });

    const failure = await failureOf(client.tenants.listPage());
    const error = `${shown(failure)}${JSON.stringify(Object(failure).cause)}`;
    await client.close();
    await new Promise((resolve) => server.close(resolve));

    expect(error).toContain("not HTTP");
    expect(error).not.toContain(apiKey);
  });

  test.each([
    ["is not there", "http://127.0.0.1:1"],
    ["has no address", "https://platform.invalid"],
  ])("when the server %s", async (_what, baseUrl) => {
    const client = createClient({ baseUrl, apiKey, maxAttempts: 1 });

    const error = shown(await failureOf(client.tenants.listPage()));
    await client.close();

    expect(error).not.toContain(apiKey);
  });

  test("when the connection breaks or no response comes", async () => {
    await using server = await startServer((_request, response, number) => number === 1 && response.destroy(), {
      maxAttempts: 1,
      callTimeoutSeconds: 0.1,
    });

    expect(shown(await failureOf(server.client.tenants.listPage()))).not.toContain(apiKey);
    expect(shown(await failureOf(server.client.tenants.listPage()))).not.toContain(apiKey);
  });
});
