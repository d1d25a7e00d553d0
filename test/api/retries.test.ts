import { describe, expect, test } from "vitest";
import { type Client, RateLimitError, ServerError } from "../../src/api/index.ts";
import { retryAfterSecondsFrom } from "../../src/api/retry.ts";
import { failureOf } from "../failure-of.ts";
import { messageOf, respondJson, startServer } from "./scripted-server.ts";

const release = { id: 1, name: "r", config_version: "1" };
const tenant = { id: 7, name: "acme" };

const writes: [string, (client: Client) => Promise<unknown>][] = [
  ["POST", (client) => client.tenants.create({ name: "acme", integration_id: 101 })],
  ["PATCH", (client) => client.tenants.update(7, { paused: true })],
  ["DELETE", (client) => client.tenants.archive(7)],
];

describe("a GET is retried", () => {
  test.each([429, 500, 502, 503, 504, 520, 522, 524, 529])("after %i, until it succeeds", async (status) => {
    await using server = await startServer((_request, response, number) =>
      number < 3 ? respondJson(response, status, {}) : respondJson(response, 200, release),
    );

    expect(await server.client.releases.get(101, 1)).toEqual(release);
    expect(server.requests.length).toBe(3);
  });

  test("after a broken connection", async () => {
    await using server = await startServer((_request, response, number) => {
      if (number < 3) {
        response.destroy();
      } else {
        respondJson(response, 200, release);
      }
    });

    expect(await server.client.releases.get(101, 1)).toEqual(release);
    expect(server.requests.length).toBe(3);
  });

  test("after an incomplete response", async () => {
    await using server = await startServer((_request, response, number) => {
      if (number > 1) {
        respondJson(response, 200, release);
        return;
      }
      response.writeHead(200, { "content-length": 1000 });
      response.write('{"id":', () => response.destroy());
    });

    expect(await server.client.releases.get(101, 1)).toEqual(release);
  });

  test("after a timeout", async () => {
    await using server = await startServer(
      (_request, response, number) => {
        if (number > 1) {
          respondJson(response, 200, release);
        }
      },
      { callTimeoutSeconds: 0.2 },
    );

    expect(await server.client.releases.get(101, 1)).toEqual(release);
    expect(server.requests.length).toBe(2);
  });

  test("until maxAttempts, and the error names their number", async () => {
    await using server = await startServer((_request, response) => respondJson(response, 503, {}), { maxAttempts: 3 });

    const error = await failureOf(server.client.releases.get(101, 1));

    expect(error).toBeInstanceOf(ServerError);
    expect(String(error)).toContain("after 3 attempts");
    expect(server.requests.length).toBe(3);
  });

  test.each([400, 401, 403, 404, 409, 422, 501, 505, 301])("but not after %i", async (status) => {
    await using server = await startServer((_request, response) => respondJson(response, status, { message: "no" }));

    expect(await messageOf(server.client.releases.get(101, 1))).not.toContain("attempts");
    expect(server.requests.length).toBe(1);
  });

  test("but not after a response of the wrong shape", async () => {
    await using server = await startServer((_request, response) => respondJson(response, 200, {}));

    await failureOf(server.client.releases.get(101, 1));
    expect(server.requests.length).toBe(1);
  });
});

describe("a write", () => {
  test.each(writes)("is retried after 429: %s", async (_method, write) => {
    await using server = await startServer((_request, response, number) =>
      number < 3 ? respondJson(response, 429, {}) : respondJson(response, 200, tenant),
    );

    await write(server.client);
    expect(server.requests.length).toBe(3);
  });

  describe.each([503, 520, 524])("is not retried after %i", (status) => {
    test.each(writes)("%s", async (_method, write) => {
      await using server = await startServer((_request, response) => respondJson(response, status, {}));

      expect(await failureOf(write(server.client))).toMatchObject({ mayHaveBeenApplied: true });
      expect(server.requests.length).toBe(1);
    });
  });

  test.each(writes)("is not retried after a lost response: %s", async (_method, write) => {
    await using server = await startServer((_request, response) => response.destroy());

    expect(await failureOf(write(server.client))).toMatchObject({ mayHaveBeenApplied: true, status: undefined });
    expect(server.requests.length).toBe(1);
  });
});

describe("Retry-After", () => {
  test.each([
    ["seconds", { "retry-after": "7" }, 7],
    ["zero seconds", { "retry-after": "0" }, 0],
    ["a fraction, with spaces around", { "retry-after": " 1.25 " }, 1.25],
    [
      "a date, by the server's clock",
      { "retry-after": "Wed, 21 Oct 2015 07:28:30 GMT", date: "Wed, 21 Oct 2015 07:28:00 GMT" },
      30,
    ],
    ["a date in the past", { "retry-after": "Wed, 21 Oct 2015 07:28:00 GMT" }, 0],
    ["nonsense", { "retry-after": "soon" }, undefined],
    ["a number with a unit", { "retry-after": "7s" }, undefined],
    ["a negative number", { "retry-after": "-5" }, undefined],
    ["nothing", {}, undefined],
  ])("is parsed: %s", (_what, headers: Record<string, string>, seconds) => {
    expect(retryAfterSecondsFrom((name) => headers[name])).toBe(seconds);
  });

  test("delays the retry", async () => {
    let isOver = false;
    await using server = await startServer((_request, response, number) => {
      if (number === 1) {
        setTimeout(() => {
          isOver = true;
        }, 200);
        respondJson(response, 429, {}, { "retry-after": "0.4" });
      } else {
        respondJson(response, isOver ? 200 : 400, release);
      }
    });

    expect(await server.client.releases.get(101, 1)).toEqual(release);
  });

  test("delays by maxRetryAfterSeconds at most, and the error has the uncapped value", async () => {
    await using server = await startServer(
      (_request, response) => respondJson(response, 429, {}, { "retry-after": "3600" }),
      {
        maxRetryAfterSeconds: 0.01,
        maxAttempts: 2,
      },
    );

    const error = await failureOf(server.client.releases.get(101, 1));

    expect(error).toBeInstanceOf(RateLimitError);
    expect(error).toMatchObject({ retryAfterSeconds: 3600 });
    expect(server.requests.length).toBe(2);
  });
});

describe("a platform that limits the rate", () => {
  test("gets requests at its rate, and no call fails", async () => {
    const perSecond = 50;
    let tokens = 5;
    let countedAt = performance.now();
    await using server = await startServer((_request, response) => {
      const now = performance.now();
      tokens = Math.min(5, tokens + ((now - countedAt) / 1000) * perSecond);
      countedAt = now;
      const isAllowed = tokens >= 1;
      if (isAllowed) tokens -= 1;
      respondJson(response, isAllowed ? 200 : 429, []);
    });

    await Promise.all(Array.from({ length: 150 }, () => server.client.releases.list(1)));

    expect(server.requests.length).toBeLessThan(300);
  });
});
