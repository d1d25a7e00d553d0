import { readFileSync } from "node:fs";
import { createServer as createHttpServer } from "node:http";
import { createServer } from "node:https";
import type { Server } from "node:net";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { runCommand } from "../../engine/run-command.ts";
import { ConfigurationError, createClient } from "../../src/api/index.ts";
import { startForwardProxy } from "../forward-proxy.ts";
import { listen } from "../listen.ts";
import { apiKey } from "./scripted-server.ts";

const fixtures = join(import.meta.dirname, "../fixtures/tls");
const certificate = join(fixtures, "certificate.pem");
const key = readFileSync(join(fixtures, "key.pem"));
const server = createServer({ key, cert: readFileSync(certificate) }, (request, response) => {
  receivedKeys.push(request.headers["x-api-key"]);
  response.end("[]");
});
const receivedKeys: unknown[] = [];
let url = "";

beforeAll(async () => {
  url = await listen(server, "https");
});
afterAll(() => new Promise((resolve) => server.close(resolve)));

/** The result of a call in a process with this environment. */
async function outcomeWith(environment: NodeJS.ProcessEnv, baseUrl = url): Promise<string> {
  receivedKeys.length = 0;
  const args = ["--no-warnings", join(import.meta.dirname, "call-once.ts"), baseUrl];
  const { stdout } = await runCommand(process.execPath, args, {
    env: { ...process.env, ...environment },
    timeLimitSeconds: 60,
  });
  return stdout;
}

test("refuses an untrusted certificate and sends it no key", async () => {
  expect(await outcomeWith({})).toMatch(/^NetworkError: GET \/v2\/tenants: no connection.*self-signed certificate/);
  expect(receivedKeys).toEqual([]);
});

test("refuses it even with NODE_TLS_REJECT_UNAUTHORIZED=0", async () => {
  expect(await outcomeWith({ NODE_TLS_REJECT_UNAUTHORIZED: "0" })).toMatch(/^NetworkError: .*self-signed certificate/);
  expect(receivedKeys).toEqual([]);
});

test("accepts it where NODE_EXTRA_CA_CERTS trusts it", async () => {
  expect(await outcomeWith({ NODE_EXTRA_CA_CERTS: certificate })).toBe("a value\n");
  expect(receivedKeys).toEqual([apiKey]);
});

describe("the message names the step that helps", () => {
  const [authority, platform] = ["authority.pem", "platform.pem"].map((name) => join(fixtures, name));
  const trusting = { NODE_EXTRA_CA_CERTS: authority };

  test.each([
    [
      "a certificate signed by itself",
      ["certificate.pem"],
      {},
      "set NODE_EXTRA_CA_CERTS to the file with this certificate (PEM).",
    ],
    [
      "an unknown authority that the server sends, too",
      ["platform.pem", "authority.pem"],
      {},
      "set NODE_EXTRA_CA_CERTS to the file with the authority's certificate (PEM).",
    ],
    [
      "an unknown issuer",
      ["platform.pem"],
      {},
      "set NODE_EXTRA_CA_CERTS to the file with the issuer's certificate (PEM), or have the server send its intermediate certificates, too.",
    ],
    [
      "a certificate that has expired",
      ["expired.pem"],
      trusting,
      "Have the platform's certificate renewed, or correct this machine's clock.",
    ],
    [
      "a certificate that is not valid yet",
      ["not-yet-valid.pem"],
      trusting,
      "Correct this machine's clock, or have the platform's certificate replaced.",
    ],
    [
      "a certificate for another host",
      ["platform.pem"],
      trusting,
      "Write a host name that the certificate has in the base URL, or have the certificate issued for this one.",
    ],
  ])("after %s", async (_what, chain, environment, step) => {
    const cert = chain.map((name) => readFileSync(join(fixtures, name), "utf8")).join("\n");
    const other = createServer({ key, cert }, (_request, response) => response.end("[]"));
    const said = await outcomeWith(environment, await listenUntilEnd(other, "https"));
    expect(said).toMatch(/^NetworkError: GET \/v2\/tenants: no connection: /);
    expect(said).not.toContain("--use-system-ca");
    expect(said.trimEnd().endsWith(step)).toBe(true);
  });

  test("after plain http on the port", async () => {
    const other = await listenUntilEnd(createHttpServer(), "https");
    expect(await outcomeWith({}, other)).toBe(
      "NetworkError: GET /v2/tenants: no connection: wrong version number. " +
        `${other} does not speak TLS: correct the scheme or the port in the base URL.\n`,
    );
  });

  test("after plain http to a port of TLS", async () => {
    expect(await outcomeWith({}, url.replace("https:", "http:"))).toContain(
      "or write https:// in the base URL if the server speaks TLS.",
    );
  });

  test("after versions of TLS that are too old", async () => {
    const old = { minVersion: "TLSv1", maxVersion: "TLSv1.1", ciphers: "ALL@SECLEVEL=0" } as const;
    const other = createServer({ key, cert: readFileSync(certificate), ...old });
    expect(await outcomeWith({}, await listenUntilEnd(other, "https"))).toContain(
      "Have TLS 1.2 or 1.3 enabled at the platform.",
    );
  });

  test.each([
    ["certificate.pem", {}, "the file with this certificate (PEM)."],
    ["platform.pem", trusting, "Write a host name that the certificate has in HTTPS_PROXY, or have the certificate"],
    ["expired.pem", trusting, "Have the proxy's certificate renewed"],
  ])("after a proxy's certificate: %s", async (name, environment, step) => {
    const tls = { key, cert: readFileSync(join(fixtures, name)) };
    await using proxy = await startForwardProxy({ leadsTo: url, tls });
    const said = await outcomeWith({ ...environment, HTTPS_PROXY: proxy.url }, "https://platform.test");
    expect(said).toContain(`no connection to the proxy ${proxy.url} (HTTPS_PROXY): `);
    expect(said).toContain(step);
    expect(proxy.requests).toEqual([]);
  });

  test("after a proxy that does not speak TLS", async () => {
    await using proxy = await startForwardProxy({ leadsTo: url });
    const address = proxy.url.replace("http:", "https:");
    expect(await outcomeWith({ HTTPS_PROXY: address }, "https://platform.test")).toContain(
      `the proxy ${address} (HTTPS_PROXY) does not speak TLS: correct the scheme or the port in HTTPS_PROXY.`,
    );
  });

  test("after the platform's certificate in a proxy's tunnel", async () => {
    const server = createServer({ key, cert: readFileSync(platform ?? "") });
    await using proxy = await startForwardProxy({ leadsTo: await listenUntilEnd(server, "https") });
    const said = await outcomeWith({ ...trusting, HTTPS_PROXY: proxy.url }, "https://other.test");
    expect(said).toContain(`no connection through the proxy ${proxy.url} (HTTPS_PROXY): `);
    expect(said).toContain("Write a host name that the certificate has in the base URL");
  });
});

async function listenUntilEnd(server: Server, scheme: "https"): Promise<string> {
  onTestFinished(() => void server.close());
  return listen(server, scheme);
}

test("has no option to turn the check off", () => {
  for (const option of ["rejectUnauthorized", "insecure", "tls", "connect", "dispatcher"]) {
    const options = { baseUrl: url, apiKey, ...Object.fromEntries([[option, false]]) };
    expect(() => createClient(options), option).toThrow(ConfigurationError);
  }
});
