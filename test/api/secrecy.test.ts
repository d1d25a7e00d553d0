import type { ServerResponse } from "node:http";
import { createServer } from "node:net";
import { inspect } from "node:util";
import { describe, expect, it } from "vitest";
import { type Client, createClient } from "../../src/api/index.ts";
import { answerJson, answerText, apiKey, failureOf, startServer } from "./scripted-server.ts";

function shown(error: unknown): string {
  return inspect(error, { depth: 20, showHidden: true });
}

const escaped = [...apiKey].map((character) => `\\u00${character.charCodeAt(0).toString(16)}`).join("");

const echoes: [string, (response: ServerResponse) => void][] = [
  ["a message", (response) => answerJson(response, 403, { message: `the key ${apiKey} is revoked` })],
  ["a detail", (response) => answerJson(response, 401, { detail: `x-api-key=${apiKey}` })],
  [
    "details",
    (response) => answerJson(response, 422, { detail: [{ loc: ["header", apiKey], msg: `bad ${apiKey}`, type: "t" }] }),
  ],
  ["JSON escapes", (response) => answerText(response, 422, `{"detail":"${escaped}"}`)],
  [
    "details in JSON escapes",
    (response) => answerText(response, 422, `{"detail":[{"loc":["${escaped}"],"msg":"${escaped}","type":""}]}`),
  ],
  ["other JSON", (response) => answerJson(response, 409, { headers: { "x-api-key": apiKey } })],
  ["text", (response) => answerText(response, 500, `GET / x-api-key: ${apiKey}`)],
  ["text, where it is cut", (response) => answerText(response, 500, `${"x".repeat(295)}${apiKey}`)],
  ["a URL", (response) => answerText(response, 400, `/login?key=${encodeURIComponent(apiKey)}`)],
  ["an HTML title", (response) => answerText(response, 502, `<html><title>${apiKey}</title></html>`)],
  [
    "escaped HTML",
    (response) => answerText(response, 502, `<html><title>${apiKey.replace("&", "&amp;")}</title></html>`),
  ],
  ["HTML that says it is fine", (response) => answerText(response, 200, `<html><title>${apiKey}</title></html>`)],
  ["a value", (response) => answerJson(response, 200, [{ id: apiKey, name: apiKey }])],
  ["what is not JSON", (response) => answerText(response, 200, apiKey)],
  ["a content type", (response) => answerText(response, 200, "x", { "content-type": apiKey })],
  ["a redirect", (response) => response.writeHead(302, { location: `/login/${apiKey}?key=${apiKey}` }).end()],
];

const calls: [string, (client: Client) => Promise<unknown>][] = [
  ["a list", (client) => client.tenants.listPage()],
  ["a write", (client) => client.tenants.create({ name: "acme", integration_id: 1 })],
  ["a proxy call", (client) => client.connectors.call(7, "crm", {})],
];

describe.each(calls)("no error of %s shows the API key", (_kind, call) => {
  it.each(echoes)("that the server echoes in %s", async (_where, echo) => {
    await using server = await startServer((_request, response) => echo(response), { maxAttempts: 2 });

    const error = shown(await failureOf(call(server.client)));

    expect(error).not.toContain(apiKey);
    expect(error).not.toContain(encodeURIComponent(apiKey));
    // Nor most of it, where a text was cut.
    expect(error).not.toContain(apiKey.slice(0, 8));
  });
});

describe("no error shows the API key", () => {
  it("in a proxy error's parsed detail", async () => {
    await using server = await startServer((_request, response) =>
      answerJson(response, 404, { detail: JSON.stringify({ data: { echoed: apiKey } }) }),
    );

    const error = await failureOf(server.client.connectors.call(7, "crm", {}));

    expect(error).toMatchObject({ detail: { data: { echoed: "[API key]" } } });
    expect(shown(error)).not.toContain(apiKey);
  });

  it("when the server answers with the request itself instead of HTTP", async () => {
    const server = createServer((socket) => {
      socket.on("error", () => {}).once("data", (data) => socket.end(data));
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const address = server.address();
    const baseUrl = `http://127.0.0.1:${typeof address === "object" ? address?.port : ""}`;
    const client = createClient({ baseUrl, apiKey });

    const error = shown(await failureOf(client.tenants.listPage()));
    await client.close();
    await new Promise((resolve) => server.close(resolve));

    expect(error).toContain("not HTTP");
    expect(error).not.toContain(apiKey);
  });

  it.each([
    ["is not there", "http://127.0.0.1:1"],
    ["has no address", "https://platform.invalid"],
  ])("when the server %s", async (_what, baseUrl) => {
    const client = createClient({ baseUrl, apiKey, maxAttempts: 1 });

    const error = shown(await failureOf(client.tenants.listPage()));
    await client.close();

    expect(error).not.toContain(apiKey);
  });

  it("when the connection breaks or nothing comes", async () => {
    await using server = await startServer((_request, response, number) => number === 1 && response.destroy(), {
      maxAttempts: 1,
      callTimeoutSeconds: 0.1,
    });

    expect(shown(await failureOf(server.client.tenants.listPage()))).not.toContain(apiKey);
    expect(shown(await failureOf(server.client.tenants.listPage()))).not.toContain(apiKey);
  });
});
