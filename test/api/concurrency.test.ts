import { spawn } from "node:child_process";
import { once } from "node:events";
import type { ServerResponse } from "node:http";
import { describe, expect, test } from "vitest";
import { failureOf } from "../failure-of.ts";
import { apiKey, respondJson, startServer } from "./scripted-server.ts";

describe("requests in flight", () => {
  test("are never more than `concurrency`, and all succeed", async () => {
    let current = 0;
    let highest = 0;
    await using server = await startServer(
      (_request, response) => {
        current += 1;
        highest = Math.max(highest, current);
        setTimeout(() => {
          current -= 1;
          respondJson(response, 200, []);
        }, 5);
      },
      { concurrency: 3 },
    );

    await Promise.all(Array.from({ length: 20 }, () => server.client.releases.list(1)));

    expect(highest).toBe(3);
    expect(server.requests.length).toBe(20);
  });

  test("do not include a request that pauses before its retry", async () => {
    const pausing = Promise.withResolvers<void>();
    await using server = await startServer(
      (request, response) => {
        if (request.url.includes("/1/")) {
          respondJson(response, 429, {}, { "retry-after": "60" });
          pausing.resolve();
        } else {
          respondJson(response, 200, []);
        }
      },
      { concurrency: 1 },
    );

    const limited = failureOf(server.client.releases.list(1));
    await pausing.promise;
    await server.client.releases.list(2);
    await server.client.close();

    expect(await limited).toMatchObject({ name: "ConfigurationError" });
    expect(server.requests.length).toBe(2);
  });

  test("may all pause at once without a warning from Node", async () => {
    const warnings: string[] = [];
    const collect = (warning: Error) => warnings.push(warning.message);
    process.on("warning", collect);
    await using server = await startServer(
      (_request, response) => respondJson(response, 429, {}, { "retry-after": "0.1" }),
      {
        maxAttempts: 2,
        concurrency: 40,
      },
    );

    await Promise.all(Array.from({ length: 40 }, () => failureOf(server.client.releases.list(1))));
    process.off("warning", collect);

    expect(server.requests.length).toBe(80);
    expect(warnings).toEqual([]);
  });

  test("fail when the client is closed", async () => {
    const arrived = Promise.withResolvers<ServerResponse>();
    await using server = await startServer((_request, response) => arrived.resolve(response));

    const failed = failureOf(server.client.tenants.archive(7));
    await arrived.promise;
    await server.client.close();

    expect(await failed).toMatchObject({ name: "NetworkError", mayHaveBeenApplied: true });
  });
});

describe("an idle client", () => {
  test("does not keep the process alive", async () => {
    await using server = await startServer((_request, response) => respondJson(response, 200, []));
    const script = `
      import { createClient } from ${JSON.stringify(new URL("../../src/api/index.ts", import.meta.url).href)};
      const client = createClient({ baseUrl: ${JSON.stringify(server.url)}, apiKey: ${JSON.stringify(apiKey)} });
      await client.releases.list(1);
    `;

    const child = spawn(process.execPath, ["--input-type=module", "--eval", script], { stdio: "inherit" });
    const [code] = await once(child, "exit");

    expect(code).toBe(0);
    expect(server.requests.length).toBe(1);
  }, 20_000);
});
