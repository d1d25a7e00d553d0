import { describe, expect, test } from "vitest";
import { CancelledError, createClient, ServerError } from "../../src/api/index.ts";
import { failureOf } from "../failure-of.ts";
import { apiKey, respondJson, startServer } from "./scripted-server.ts";

describe("once the signal is aborted", () => {
  test("a request in flight is finished, and those that wait for their turn are refused", async () => {
    const cancelling = new AbortController();
    const { promise: arrived, resolve: arrive } = Promise.withResolvers<void>();
    await using server = await startServer(
      (_request, response) => {
        arrive();
        cancelling.signal.addEventListener("abort", () => respondJson(response, 200, { id: 7, name: "acme" }));
      },
      { signal: cancelling.signal, concurrency: 1 },
    );

    const sent = server.client.tenants.create({ name: "acme", integration_id: 101 });
    const waiting = [1, 2, 3].map((id) => failureOf(server.client.tenants.archive(id)));
    await arrived;
    cancelling.abort();

    expect(await sent).toMatchObject({ id: 7 });
    for (const failure of await Promise.all(waiting)) expect(failure).toBeInstanceOf(CancelledError);
    expect(server.requests.map(({ method }) => method)).toEqual(["POST"]);
  });

  test("no request is sent", async () => {
    await using server = await startServer((_request, response) => respondJson(response, 200, []));
    const client = createClient({ baseUrl: server.url, apiKey, signal: AbortSignal.abort() });

    const failure = await failureOf(client.releases.list(1));

    expect(failure).toBeInstanceOf(CancelledError);
    expect(failure.message).toMatch(/cancelled.*Run the command again/);
    expect(server.requests).toEqual([]);
  });

  test("a request that then fails is not retried, and its own error is told", async () => {
    const cancelling = new AbortController();
    await using server = await startServer(
      (_request, response) => {
        cancelling.abort();
        respondJson(response, 503, {});
      },
      { signal: cancelling.signal },
    );

    expect(await failureOf(server.client.releases.list(1))).toBeInstanceOf(ServerError);
    expect(server.requests).toHaveLength(1);
  });

  test("a pause before a retry ends", async () => {
    const cancelling = new AbortController();
    await using server = await startServer(
      (_request, response) => {
        response.on("close", () => setTimeout(() => cancelling.abort(), 50));
        respondJson(response, 429, {}, { "retry-after": "3600" });
      },
      { signal: cancelling.signal, maxRetryAfterSeconds: 3600 },
    );

    expect(await failureOf(server.client.releases.list(1))).toBeInstanceOf(CancelledError);
    expect(server.requests).toHaveLength(1);
  });

  test("requests that are spaced out are refused at once", async () => {
    const cancelling = new AbortController();
    await using server = await startServer((_request, response) => respondJson(response, 429, {}), {
      signal: cancelling.signal,
      maxAttempts: 1_000,
      backoffSeconds: { first: 0, max: 0 },
      concurrency: 500,
    });

    const limited = Array.from({ length: 500 }, (_, id) => failureOf(server.client.releases.list(id)));
    while (server.requests.length < 510) await new Promise((resolve) => setTimeout(resolve, 10));
    cancelling.abort();
    const sent = server.requests.length;
    await Promise.all(limited);

    expect(server.requests.length).toBeLessThan(sent + 10);
  });

  test("the client of another operation is not affected", async () => {
    await using server = await startServer((_request, response) => respondJson(response, 200, []));
    createClient({ baseUrl: server.url, apiKey, signal: AbortSignal.abort() });

    expect(await server.client.releases.list(1)).toEqual([]);
  });
});
