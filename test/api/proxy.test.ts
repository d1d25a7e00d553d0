import { readFileSync } from "node:fs";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer as createHttpServer, type RequestListener } from "node:http";
import { createServer } from "node:https";
import { createServer as createTcpServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { runCommand } from "../../engine/run-command.ts";
import { type ForwardProxyOptions, startForwardProxy } from "../forward-proxy.ts";
import { listen } from "../listen.ts";
import { apiKey } from "./scripted-server.ts";

const fixtures = join(import.meta.dirname, "../fixtures/tls");
const authority = join(fixtures, "authority.pem");
const key = readFileSync(join(fixtures, "key.pem"));

const answer: RequestListener = (request, response) => {
  received.push(`${request.method} ${request.headers.host} ${request.headers["x-api-key"]}`);
  response.end("[]");
};
const received: string[] = [];
const plain = createHttpServer(answer);
const secure = createServer({ key, cert: readFileSync(join(fixtures, "platform.pem")) }, answer);
let plainUrl = "";
let secureUrl = "";

beforeAll(async () => {
  plainUrl = await listen(plain);
  secureUrl = await listen(secure, "https");
});
afterAll(() => {
  for (const server of [plain, secure]) server.close();
});

/** What a process with this environment says about one call of the platform at an address. */
async function call(baseUrl: string, environment: NodeJS.ProcessEnv, what = "list"): Promise<string> {
  received.length = 0;
  const inherited = Object.entries(process.env).filter(([name]) => !/_proxy$|^NODE_EXTRA_CA_CERTS$/i.test(name));
  const args = ["--no-warnings", join(import.meta.dirname, "call-once.ts"), baseUrl, what];
  const { stdout } = await runCommand(process.execPath, args, {
    env: { ...Object.fromEntries(inherited), ...environment },
    timeLimitSeconds: 60,
  });
  return stdout.trimEnd();
}

/** The proxy leads each name to the server with a certificate for platform.test. */
async function proxyTo(leadsTo = secureUrl, options: Omit<ForwardProxyOptions, "leadsTo"> = {}) {
  const proxy = await startForwardProxy({ leadsTo, ...options });
  onTestFinished(() => proxy[Symbol.asyncDispose]());
  return proxy;
}

const trusting = { NODE_EXTRA_CA_CERTS: authority };

describe("a proxy that the environment names", () => {
  test.each(["HTTPS_PROXY", "https_proxy"])("%s takes the requests of https through a tunnel", async (variable) => {
    const proxy = await proxyTo();
    expect(await call("https://platform.test", { ...trusting, [variable]: proxy.url })).toBe("a value");
    expect(proxy.requests).toEqual(["CONNECT platform.test:443"]);
    expect(received).toEqual([`GET platform.test ${apiKey}`]);
  });

  test.each(["HTTP_PROXY", "http_proxy"])("%s takes the requests of plain http in absolute form", async (variable) => {
    const proxy = await proxyTo(plainUrl);
    expect(await call("http://platform.test:8080", { [variable]: proxy.url })).toBe("a value");
    expect(proxy.requests).toEqual(["GET http://platform.test:8080/v2/tenants"]);
    expect(received).toEqual([`GET platform.test:8080 ${apiKey}`]);
  });

  test("may be written without a scheme, and gets its user and password", async () => {
    const proxy = await proxyTo(secureUrl, { credentials: "me:p@ss" });
    const address = proxy.url.replace("http://", "me:p%40ss@");
    expect(await call("https://platform.test", { ...trusting, HTTPS_PROXY: address })).toBe("a value");
  });

  test("may speak TLS itself", async () => {
    const certificate = join(fixtures, "certificate.pem");
    const proxy = await proxyTo(secureUrl, { tls: { key, cert: readFileSync(certificate) } });
    const folder = await mkdtemp(join(tmpdir(), "proxy-"));
    onTestFinished(() => rm(folder, { recursive: true }));
    const both = join(folder, "both.pem");
    await writeFile(both, [authority, certificate].map((file) => readFileSync(file, "utf8")).join("\n"));
    const environment = { NODE_EXTRA_CA_CERTS: both, HTTPS_PROXY: proxy.url };
    expect(await call("https://platform.test", environment)).toBe("a value");
    expect(proxy.requests).toEqual(["CONNECT platform.test:443"]);
  });

  test.each([
    "http://127.0.0.1",
    "http://127.8.9.10",
    "http://localhost",
    "http://[::1]",
    "https://127.0.0.1",
    "https://api.localhost",
    "https://localhost",
  ])("is never asked for %s", async (address) => {
    const proxy = await proxyTo(plainUrl);
    const { port } = new URL(address.startsWith("https") ? secureUrl : plainUrl);
    const all = { HTTP_PROXY: proxy.url, HTTPS_PROXY: proxy.url, http_proxy: proxy.url, https_proxy: proxy.url };
    expect(await call(`${address}:${port}`, all)).not.toContain("proxy");
    expect(proxy.requests).toEqual([]);
  });

  test.each([
    ["platform.test", false],
    ["PLATFORM.test:443", false],
    ["other.test,.test", false],
    ["other.test *.test", false],
    ["*", false],
    ["platform.test:8443", true],
    ["form.test", true],
    ["", true],
  ])("is not asked for what NO_PROXY lists: %s", async (list, isAsked) => {
    for (const variable of ["NO_PROXY", "no_proxy"]) {
      const proxy = await proxyTo();
      await call("https://platform.test", { ...trusting, HTTPS_PROXY: proxy.url, [variable]: list });
      expect(proxy.requests).toHaveLength(isAsked ? 1 : 0);
    }
  });

  test.each([
    ["0.0.0.0/8", false],
    ["0.0.0.0:1", false],
    ["10.0.0.0/8", true],
    ["0.0", true],
  ])("is not asked for an address that NO_PROXY lists: %s", async (list, isAsked) => {
    const proxy = await proxyTo(secureUrl, { refusesWith: 403 });
    const environment = { HTTPS_PROXY: proxy.url, NO_PROXY: list };
    await call("https://0.0.0.0:1", environment);
    expect(proxy.requests).toHaveLength(isAsked ? 1 : 0);
  });
});

describe("a failure of the proxy names it and its variable", () => {
  test.each([
    [{ credentials: "me:right" }, "http://", "407. Add a user name and a password to HTTPS_PROXY"],
    [{ credentials: "me:right" }, "http://me:wr0ng@", "407. Correct the user name and the password in HTTPS_PROXY."],
    [{ refusesWith: 403 }, "http://me:wr0ng@", "403. Have platform.test allowed at the proxy, or add it to NO_PROXY"],
    [{ refusesWith: 502 }, "http://me:wr0ng@", "502. The proxy does not reach platform.test: check the base URL"],
  ])("%j at %s", async (options, scheme, message) => {
    const proxy = await proxyTo(secureUrl, options);
    const said = await call("https://platform.test", { HTTPS_PROXY: proxy.url.replace("http://", scheme) });
    expect(said).toContain(`NetworkError: GET /v2/tenants: the proxy ${proxy.url} (HTTPS_PROXY) has refused`);
    expect(said).toContain(message);
    expect(said).not.toContain("wr0ng");
  });

  test("407 without a tunnel, where certainly nothing was applied", async () => {
    const proxy = await proxyTo(plainUrl, { credentials: "me:right" });
    const said = await call(
      "http://platform.test",
      { http_proxy: proxy.url.replace("http://", "http://me:wr0ng@") },
      "build",
    );
    expect(said).toBe(
      `NetworkError: POST /v2/sourcecontrol/build: the proxy ${proxy.url} (http_proxy) has refused the request with the status 407. ` +
        "Correct the user name and the password in http_proxy.",
    );
  });

  test.each(["https://platform.test", "http://platform.test"])("no proxy listens, for %s", async (baseUrl) => {
    const server = createTcpServer();
    const address = (await listen(server)).replace("http://", "http://me:wr0ng@");
    server.close();
    const said = await call(baseUrl, { HTTPS_PROXY: address, HTTP_PROXY: address });
    const variable = baseUrl.startsWith("https") ? "HTTPS_PROXY" : "HTTP_PROXY";
    const name = `the proxy ${new URL(address).origin} (${variable})`;
    expect(said).toContain(`no connection to ${name}`);
    expect(said).toContain(`Nothing listens at ${name}: check`);
    expect(said).not.toContain("wr0ng");
  });

  test("a proxy that closes the connection", async () => {
    const server = createTcpServer((socket) => socket.on("error", () => {}).once("data", () => socket.end()));
    const proxy = await listen(server);
    onTestFinished(() => void server.close());
    const said = await call("https://platform.test", { HTTPS_PROXY: proxy });
    expect(said).toContain(`no connection through the proxy ${proxy} (HTTPS_PROXY)`);
    expect(said).toContain("Check HTTPS_PROXY and the network between this machine and the proxy.");
  });

  test("a proxy that does not speak HTTP", async () => {
    const server = createTcpServer((socket) =>
      socket.on("error", () => {}).once("data", () => socket.end("SSH-2.0\r\n")),
    );
    const proxy = await listen(server);
    onTestFinished(() => void server.close());
    const said = await call("https://platform.test", { HTTPS_PROXY: proxy });
    expect(said).toContain(`https://platform.test through the proxy ${proxy} (HTTPS_PROXY) that is not HTTP.`);
    expect(said).toContain("Check the scheme and the port in HTTPS_PROXY.");
  });

  test.each(["socks5://me:wr0ng@127.0.0.1:1080", "http://me:wr0ng@", "http://me%:wr0ng@127.0.0.1:1"])(
    "%s is no proxy",
    async (value) => {
      const said = await call("https://platform.test", { HTTPS_PROXY: value });
      expect(said).toContain("HTTPS_PROXY is not the URL of a proxy. Write it like http://HOST:PORT");
      expect(said).not.toContain("wr0ng");
    },
  );
});
