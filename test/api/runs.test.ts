import { describe, expect, test } from "vitest";
import { NetworkError, NotFoundError, UnexpectedResponseError } from "../../src/api/index.ts";
import { failureOf } from "../failure-of.ts";
import { respondJson, respondText, type Script, startServer } from "./scripted-server.ts";

const signature = "s1gnature";

/** A platform whose log endpoint redirects to a storage, whose responses the test defines. */
async function startPlatform(storageScript: Script, options = {}) {
  const storage = await startServer(storageScript);
  const platform = await startServer((_request, response, number) => {
    response.writeHead(302, { location: `${storage.url}/logs/${number}?signature=${signature}` }).end();
  }, options);
  return {
    client: platform.client,
    platform,
    storage,
    async [Symbol.asyncDispose]() {
      await platform[Symbol.asyncDispose]();
      await storage[Symbol.asyncDispose]();
    },
  };
}

async function textOf(stream: AsyncIterable<Uint8Array>): Promise<string> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of stream) {
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString();
}

describe("a trigger's status", () => {
  test("rejects with NotFoundError while there is no run", async () => {
    await using server = await startServer((_request, response) => respondJson(response, 404, { message: "not yet" }));

    expect(await failureOf(server.client.runs.getTriggerStatus("t1"))).toBeInstanceOf(NotFoundError);
  });
});

describe.each<["getLog" | "streamLog"]>([["getLog"], ["streamLog"]])("a log by %s", (method) => {
  async function read(client: Awaited<ReturnType<typeof startPlatform>>["client"]): Promise<string> {
    return method === "getLog" ? client.runs.getLog(5001) : textOf(await client.runs.streamLog(5001));
  }

  test("comes from the signed address, which gets no API key", async () => {
    await using server = await startPlatform((_request, response) => respondText(response, 200, "line 1\nline 2 ü\n"));

    expect(await read(server.client)).toBe("line 1\nline 2 ü\n");
    expect(server.platform.requests[0]).toMatchObject({ method: "GET", url: "/v2/runs/5001/log" });
    expect(server.storage.requests[0]).toMatchObject({ method: "GET", url: `/logs/1?signature=${signature}` });
    expect(server.storage.requests[0]?.headers).not.toHaveProperty("x-api-key");
  });

  test.each([400, 401, 403, 404, 410])("is requested again where its link has expired (%i)", async (status) => {
    await using server = await startPlatform((_request, response, number) =>
      number === 1 ? respondText(response, status, "expired") : respondText(response, 200, "log"),
    );

    expect(await read(server.client)).toBe("log");
    expect(server.storage.requests.map(({ url }) => url)).toEqual([
      `/logs/1?signature=${signature}`,
      `/logs/2?signature=${signature}`,
    ]);
  });

  test("is requested again only once, and the error does not show the link", async () => {
    await using server = await startPlatform((_request, response) => respondText(response, 403, `bad ${signature}`));

    const error = await failureOf(read(server.client));

    expect(error).toBeInstanceOf(UnexpectedResponseError);
    expect(error).toMatchObject({ method: "GET", path: "/v2/runs/5001/log", status: 403, mayHaveBeenApplied: false });
    expect(String(error)).toContain(server.storage.url);
    expect(String(error)).not.toContain(signature);
    expect(server.storage.requests.length).toBe(2);
  });

  test("is retried after a 503 of the storage", async () => {
    await using server = await startPlatform((_request, response, number) =>
      number < 3 ? respondText(response, 503, "") : respondText(response, 200, "log"),
    );

    expect(await read(server.client)).toBe("log");
    expect(server.platform.requests.length).toBe(1);
  });

  test("may be empty", async () => {
    await using server = await startPlatform((_request, response) => respondText(response, 200, ""));

    expect(await read(server.client)).toBe("");
  });

  test("rejects with NotFoundError where the platform responds with 404", async () => {
    await using server = await startServer((_request, response) => respondJson(response, 404, { message: "no run" }));

    expect(await failureOf(read(server.client))).toBeInstanceOf(NotFoundError);
  });

  test.each([
    ["a response without a redirect", 200, {}],
    ["a redirect to nowhere", 302, {}],
    ["a redirect to plain http elsewhere", 302, { location: `http://storage.example.com/?signature=${signature}` }],
    ["a redirect to a file", 302, { location: "file:///etc/passwd" }],
  ])("is an unexpected response after %s", async (_what, status, headers) => {
    await using server = await startServer((_request, response) => response.writeHead(status, headers).end());

    const error = await failureOf(read(server.client));

    expect(error).toBeInstanceOf(UnexpectedResponseError);
    expect(String(error)).not.toContain(signature);
  });
});

describe("a streamed log", () => {
  test("may be larger than maxResponseBytes", async () => {
    const log = "x".repeat(300_000);
    await using server = await startPlatform((_request, response) => respondText(response, 200, log), {
      maxResponseBytes: 1_000,
    });

    expect((await textOf(await server.client.runs.streamLog(1))).length).toBe(log.length);
    expect(await failureOf(server.client.runs.getLog(1))).toBeInstanceOf(UnexpectedResponseError);
  });

  test("fails with a NetworkError where the connection breaks", async () => {
    await using server = await startPlatform((_request, response) => {
      response.writeHead(200, { "content-length": 1000 });
      response.write("line 1\n", () => setTimeout(() => response.destroy(), 20));
    });
    const stream = await server.client.runs.streamLog(1);

    const error = await failureOf(textOf(stream));

    expect(error).toBeInstanceOf(NetworkError);
    expect(error).toMatchObject({ path: "/v2/runs/1/log", status: 200 });
  });

  test("can be cancelled", async () => {
    await using server = await startPlatform((_request, response) => response.writeHead(200).write("line 1\n"));
    const stream = await server.client.runs.streamLog(1);

    await stream.cancel();

    expect(await server.platform.requests.length).toBe(1);
  });
});
