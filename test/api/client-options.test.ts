import { describe, expect, test } from "vitest";
import { type ClientOptions, ConfigurationError, createClient } from "../../src/api/index.ts";

function create(options: Partial<ClientOptions>) {
  return createClient({ baseUrl: "https://platform.example.com", apiKey: "k3y", ...options });
}

describe("the base URL", () => {
  test.each([
    ["https://platform.example.com", "https://platform.example.com"],
    ["https://platform.example.com/", "https://platform.example.com"],
    ["https://platform.example.com/eu/api//", "https://platform.example.com/eu/api"],
    ["http://127.0.0.1:4010", "http://127.0.0.1:4010"],
    ["http://127.8.9.10", "http://127.8.9.10"],
    ["http://[::1]:80/", "http://[::1]"],
    ["http://LOCALHOST:1", "http://localhost:1"],
  ])("%s becomes %s", (baseUrl, taken) => {
    expect(create({ baseUrl }).baseUrl).toBe(taken);
  });

  test.each([
    "",
    "platform.example.com",
    "ftp://platform.example.com",
    "https://user:pa55@platform.example.com",
    "https://platform.example.com/?a=1",
    "https://platform.example.com/#top",
    "https://platform.example.com/?",
    "http://platform.example.com",
    "http://127.0.0.1.example.com",
    "http://localhost.example.com",
    "http://0.0.0.0:80",
    "http://10.0.0.1",
  ])("%s is refused", (baseUrl) => {
    expect(() => create({ baseUrl })).toThrow(ConfigurationError);
  });

  test("may be plain http for a host in allowInsecureHttp", () => {
    const baseUrl = "http://Gateway.internal:8080";
    expect(create({ baseUrl, allowInsecureHttp: ["gateway.internal"] }).baseUrl).toBe("http://gateway.internal:8080");
    expect(create({ baseUrl, allowInsecureHttp: ["gateway.internal:8080"] }).baseUrl).toBe(
      "http://gateway.internal:8080",
    );
    expect(() => create({ baseUrl, allowInsecureHttp: ["other.internal"] })).toThrow(/allowInsecureHttp/);
  });

  test("is refused without its password in the error", () => {
    expect(() => create({ baseUrl: "https://user:pa55@platform.example.com" })).not.toThrow(/pa55/);
  });
});

describe("the API key", () => {
  test.each(["", " ", "k3y\n", " k3y", "k 3y", "k3y\u0000", "k3ÿ", "undefined"])(
    "%j is refused without the key in the error",
    (apiKey) => {
      expect(() => create({ apiKey })).toThrow(/apiKey/);
      expect(() => create({ apiKey })).not.toThrow(/k3|k 3/);
    },
  );

  test("is not a visible property of the client", async () => {
    const { inspect } = await import("node:util");
    expect(inspect(create({}), { depth: 9, showHidden: true })).not.toContain("k3y");
  });
});

describe("other options", () => {
  test.each([
    { maxAttempts: 0 },
    { concurrency: 0 },
    { concurrency: 1.5 },
    { callTimeoutSeconds: -1 },
    { callTimeoutSeconds: Number.NaN },
    { connectTimeoutSeconds: 60_000_000 },
    { maxResponseBytes: 0 },
    { backoffSeconds: { first: -1, max: 1 } },
  ])("%j is refused, and the error names the option", (options) => {
    expect(() => create(options)).toThrow(new RegExp(Object.keys(options).join()));
  });

  test("may be undefined", () => {
    expect(() =>
      create({ maxAttempts: undefined, concurrency: undefined, allowInsecureHttp: undefined }),
    ).not.toThrow();
  });

  test("are all named in one error where several are wrong", () => {
    expect(() => create({ maxAttempts: 0, concurrency: 0 })).toThrow(/maxAttempts.*concurrency/);
  });
});
