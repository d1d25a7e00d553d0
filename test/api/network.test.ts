import { createServer } from "node:net";
import { describe, expect, test } from "vitest";
import { type Client, createClient, NetworkError, TimeoutError, UnexpectedResponseError } from "../../src/api/index.ts";
import { failureOf } from "../failure-of.ts";
import { listen } from "../listen.ts";
import { apiKey, respondJson, startServer } from "./scripted-server.ts";

function createTenant(client: Client) {
  return client.tenants.create({ name: "acme", integration_id: 101 });
}

/** A TCP server with a fixed response, which need not be HTTP. */
async function startRawServer(response: string) {
  const server = createServer((socket) => {
    socket.on("error", () => {});
    socket.once("data", () => socket.end(response));
  });
  const url = await listen(server);
  return {
    url,
    [Symbol.asyncDispose]: () => new Promise<void>((resolve) => server.close(() => resolve())),
  };
}

async function unusedAddress(): Promise<string> {
  await using server = await startRawServer("");
  return server.url;
}

function clientOf(baseUrl: string) {
  return createClient({ baseUrl, apiKey, backoffSeconds: { first: 0, max: 0 }, connectTimeoutSeconds: 1 });
}

describe("a server that is not there", () => {
  test("is a network error after retries even of a write, as certainly nothing was sent", async () => {
    const client = clientOf(await unusedAddress());

    const error = await failureOf(createTenant(client));
    await client.close();

    expect(error).toBeInstanceOf(NetworkError);
    expect(error).toMatchObject({ code: "ECONNREFUSED", mayHaveBeenApplied: false, status: undefined });
    expect(String(error)).toContain("after 5 attempts");
    expect(String(error)).toContain(client.baseUrl);
  });

  test("is a network error where the name has several addresses", async () => {
    const { port } = new URL(await unusedAddress());
    const client = clientOf(`http://localhost:${port}`);

    const error = await failureOf(createTenant(client));
    await client.close();

    expect(error).toMatchObject({ name: "NetworkError", code: "ECONNREFUSED", mayHaveBeenApplied: false });
  });

  test("is a network error where the name does not resolve", async () => {
    const client = clientOf("https://platform.invalid");

    const error = await failureOf(createTenant(client));
    await client.close();

    expect(error).toMatchObject({ name: "NetworkError", mayHaveBeenApplied: false });
    expect(String(error)).toContain("does not resolve");
  });
});

describe("a connection that breaks", () => {
  test("before the response sets mayHaveBeenApplied of a write", async () => {
    await using server = await startServer((_request, response) => response.destroy());

    const error = await failureOf(createTenant(server.client));

    expect(error).toBeInstanceOf(NetworkError);
    expect(error).toMatchObject({ mayHaveBeenApplied: true, status: undefined });
    expect(error).toHaveProperty("cause");
  });

  test("within a successful response sets mayHaveBeenApplied of a write", async () => {
    await using server = await startServer((_request, response) => {
      response.writeHead(200, { "content-length": 1000 });
      response.write('{"id":', () => response.destroy());
    });

    expect(await failureOf(createTenant(server.client))).toMatchObject({
      name: "NetworkError",
      mayHaveBeenApplied: true,
      status: 200,
    });
  });

  test("within a refusal still gives the error of its status", async () => {
    await using server = await startServer((_request, response) => {
      response.writeHead(400, { "content-length": 1000 });
      response.write("name is ta", () => response.destroy());
    });

    const error = await failureOf(createTenant(server.client));

    expect(error).toMatchObject({ name: "ValidationError", mayHaveBeenApplied: false });
    expect(String(error)).toContain("name is ta");
  });
});

describe("a server that takes too long", () => {
  test("to respond sets mayHaveBeenApplied of a write", async () => {
    await using server = await startServer(() => {}, { callTimeoutSeconds: 0.1 });

    const error = await failureOf(createTenant(server.client));

    expect(error).toBeInstanceOf(TimeoutError);
    expect(error).toMatchObject({ mayHaveBeenApplied: true });
    expect(String(error)).toContain("0.1 s");
    expect(server.requests.length).toBe(1);
  });

  test("to complete its response sets mayHaveBeenApplied of a write", async () => {
    await using server = await startServer(
      (_request, response) => {
        response.writeHead(200).write("{");
      },
      { callTimeoutSeconds: 0.1 },
    );

    expect(await failureOf(createTenant(server.client))).toMatchObject({
      name: "TimeoutError",
      mayHaveBeenApplied: true,
    });
  });

  test("to accept the connection does not set mayHaveBeenApplied", async () => {
    // Documentation addresses (RFC 5737) route nowhere: whatever the network makes of them, nothing is sent.
    const client = createClient({
      baseUrl: "https://192.0.2.1",
      apiKey,
      callTimeoutSeconds: 0.1,
      maxAttempts: 2,
      backoffSeconds: { first: 0, max: 0 },
    });

    const error = await failureOf(createTenant(client));
    await client.close();

    expect(error).toMatchObject({ mayHaveBeenApplied: false, status: undefined });
    expect(String(error)).toContain("after 2 attempts");
  });
});

describe("a response that is not HTTP", () => {
  test("is an error of its own, without retries", async () => {
    await using server = await startRawServer("SSH-2.0-whatever\r\n\r\n");
    const client = clientOf(server.url);

    const error = await failureOf(client.tenants.listPage());
    await client.close();

    expect(error).toBeInstanceOf(UnexpectedResponseError);
    expect(String(error)).toContain("not HTTP");
    expect(String(error)).not.toContain("attempts");
  });
});

describe("a response that is too large", () => {
  test.each([
    ["at once", (size: number) => ({ "content-length": size })],
    ["in the middle", () => ({})],
  ])("is aborted: %s", async (_what, headers) => {
    const body = JSON.stringify([{ padding: "x".repeat(10_000) }]);
    await using server = await startServer(
      (_request, response) => response.writeHead(200, headers(body.length)).end(body),
      {
        maxResponseBytes: 5_000,
      },
    );

    const error = await failureOf(createTenant(server.client));

    expect(error).toBeInstanceOf(UnexpectedResponseError);
    expect(error).toMatchObject({ mayHaveBeenApplied: true });
    expect(String(error)).toContain("5000 bytes");
    expect(server.requests.length).toBe(1);
  });

  test("is read where it has exactly the allowed size", async () => {
    const body = JSON.stringify([]);
    await using server = await startServer((_request, response) => respondJson(response, 200, []), {
      maxResponseBytes: body.length,
    });

    expect(await server.client.tenants.listPage()).toEqual([]);
  });
});
