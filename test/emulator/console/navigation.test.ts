import { request } from "node:http";
import { describe, expect, test } from "vitest";
import type { Emulator } from "../../../src/emulator/index.ts";
import { call, startEmulator } from "../running-emulator.ts";
import { open } from "./console-client.ts";

// What Chromium sends when somebody opens an address.
const browser = { accept: "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8" };

const pages = [
  "/console",
  "/console/tenants",
  "/console/integrations",
  "/console/runs",
  "/console/deliveries",
  "/console/requests",
  "/console/settings",
  "/console/variants",
  "/console/api",
];

describe("a browser", () => {
  test.each([
    ["/", "/console"],
    ["/docs", "/console/api"],
  ])("is led from %s to %s", async (path, page) => {
    const emulator = await startEmulator();
    const { status, headers } = await open(emulator, path, browser);
    expect([status, headers.get("location")]).toEqual([302, page]);
  });

  test("is not in the request log, and meets no faults, while it finds its way", async () => {
    const emulator = await startEmulator();
    emulator.fault({ kind: "status", status: 500 });
    for (const path of ["/", "/docs"]) expect((await open(emulator, path, browser)).status).toBe(302);
    expect((await open(emulator, "/favicon.ico", { accept: "image/*" })).status).toBe(404);
    expect(emulator.requests()).toEqual([]);
    expect((await call(emulator, "GET", "/v2/tenants")).status).toBe(500);
  });

  test("gets the responses of the API as they are, also for a path without a route", async () => {
    const emulator = await startEmulator();
    const list = await open(emulator, "/v2/tenants", { ...browser, "x-api-key": emulator.apiKey });
    expect([list.status, list.html]).toEqual([200, "[]"]);
    const missing = await open(emulator, "/v2/nothing", { ...browser, "x-api-key": emulator.apiKey });
    expect([missing.status, JSON.parse(missing.html)]).toEqual([404, { detail: "Not Found" }]);
    expect(emulator.requests()).toMatchObject([{ path: "/v2/tenants" }, { path: "/v2/nothing" }]);
  });
});

test.each([["*/*"], ["application/json"]])(
  "a client that accepts %s gets a 404 for /, as for any other path",
  async (accept) => {
    const emulator = await startEmulator();
    const { status, html } = await open(emulator, "/", { accept });
    expect([status, JSON.parse(html)]).toEqual([404, { detail: "Not Found" }]);
    expect(emulator.requests()).toMatchObject([{ path: "/", status: 404 }]);
    expect((await call(emulator, "POST", "/", {})).status).toBe(404);
  },
);

test("every page leads to every other page, and marks its own section", async () => {
  const emulator = await startEmulator();
  for (const path of pages) {
    const { html } = await open(emulator, path === "/console/settings" ? "/console/settings/api-access" : path);
    expect(navigationOf(html), path).toEqual(pages);
    expect(html, path).toContain(`href="${path}" aria-current="true"`);
  }
});

test.each([
  ["a page that does not exist", "GET /console/nothing", {}, 404],
  ["a tenant that does not exist", "GET /console/tenants/31337", {}, 404],
  [
    "a form from elsewhere",
    "POST /console/settings/api-keys",
    { "content-type": "application/x-www-form-urlencoded" },
    403,
  ],
  ["what is not a form", "POST /console/settings/api-keys", { "content-type": "text/plain" }, 415],
])("the page for %s has the navigation", async (_, line, headers, status) => {
  const emulator = await startEmulator();
  const [method = "", path = ""] = line.split(" ");
  const response = await emulator.fetch(
    new Request(`http://localhost${path}`, { method, headers: new Headers(headers) }),
  );
  expect(response.status).toBe(status);
  expect(navigationOf(await response.text())).toEqual(pages);
});

test.each([
  ["/console/tenants/abc", "There is no such page."],
  ["/console/tenants/31337", "Tenant 31337 not found."],
  ["/console/tenants?page=many", "The address has a problem: page: "],
])("the page for the wrong address %s says what is wrong", async (path, problem) => {
  const { status, html } = await open(await startEmulator(), path);
  expect(status).toBe(404);
  expect(html).toContain(`<p>${problem}`);
});

test("another host name sees neither the navigation nor the account", async () => {
  const emulator = await startEmulator();
  const body = await openAs(emulator, "rebound.example", "/console");
  expect(body).toContain("<h1>Not a name of this emulator</h1>");
  expect(body).not.toMatch(/<nav|Sandbox account/);
});

function navigationOf(html: string): string[] {
  const [, navigation = ""] = /<nav class="links" aria-label="Console">([\s\S]*?)<\/nav>/.exec(html) ?? [];
  return [...navigation.matchAll(/href="([^"]+)"/g)].map(([, href = ""]) => href);
}

function openAs(emulator: Emulator, name: string, path: string): Promise<string> {
  const { port } = new URL(emulator.url);
  return new Promise((resolve, reject) => {
    const sent = request({ host: "127.0.0.1", port, path, headers: { host: `${name}:${port}` } }, async (response) => {
      const chunks: Uint8Array[] = [];
      for await (const chunk of response) chunks.push(chunk);
      resolve(Buffer.concat(chunks).toString());
    });
    sent.on("error", reject).end();
  });
}
