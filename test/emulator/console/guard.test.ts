import { request } from "node:http";
import { describe, expect, test } from "vitest";
import { call, install, numberAt, startEmulator } from "../running-emulator.ts";
import { fromOwnPage, open, post } from "./console-client.ts";

describe("a form", () => {
  test.each([
    ["without Origin and Sec-Fetch-Site", {}],
    ["from another origin", { origin: "http://evil.example" }],
    ["from an opaque origin", { origin: "null" }],
    ["from another port of this machine, such as another emulator", { origin: "http://localhost:9999" }],
    ["from another site", { "sec-fetch-site": "cross-site" }],
    ["from another origin of this site", { "sec-fetch-site": "same-site" }],
    ["that no page caused", { "sec-fetch-site": "none" }],
  ])("is refused %s", async (_, headers) => {
    const emulator = await startEmulator();
    const id = await install(emulator);
    const answer = await post(emulator, `/console/tenants/${id}/archive`, {}, headers);
    expect(answer.status).toBe(403);
    expect(answer.html).toContain("<h1>Form refused</h1>");
    expect((await call(emulator, "GET", `/_emulator/tenants/${id}`)).body).toMatchObject({ archived: false });
  });

  test.each([
    ["Origin and Sec-Fetch-Site", fromOwnPage],
    ["Origin alone, as older browsers send it", { origin: fromOwnPage.origin }],
  ])("is accepted from its own page, by %s", async (_, headers) => {
    const emulator = await startEmulator();
    const id = await install(emulator);
    const answer = await post(emulator, `/console/tenants/${id}/archive`, {}, headers);
    expect(answer.status).toBe(303);
    expect((await call(emulator, "GET", `/_emulator/tenants/${id}`)).body).toMatchObject({ archived: true });
  });

  test("is refused as JSON", async () => {
    const emulator = await startEmulator();
    const id = await install(emulator);
    const headers = { ...fromOwnPage, "content-type": "application/json" };
    expect((await post(emulator, `/console/tenants/${id}/archive`, {}, headers)).status).toBe(415);
    expect((await call(emulator, "GET", `/_emulator/tenants/${id}`)).body).toMatchObject({ archived: false });
  });
});

describe("every page", () => {
  test.each(["/console/tenants", "/console/nothing", "/console/console.css", "/console/tenants/1"])(
    "may load nothing from elsewhere, and no site may frame it: %s",
    async (path) => {
      const { headers } = await open(await startEmulator(), path);
      const policy = headers.get("content-security-policy") ?? "";
      for (const rule of ["default-src 'none'", "style-src 'self'", "script-src 'self'", "form-action 'self'"]) {
        expect(policy.split("; ")).toContain(rule);
      }
      expect(policy).toContain("frame-ancestors 'none'");
      expect(policy).not.toContain("unsafe");
      expect(headers.get("x-content-type-options")).toBe("nosniff");
      expect(headers.get("cache-control")).toBe("no-store");
    },
  );

  test("has no inline script and no inline style", async () => {
    const emulator = await startEmulator();
    const id = await install(emulator);
    const others = ["/console", "/console/requests", "/console/variants", "/console/faults", "/console/api"];
    for (const path of ["/console/tenants", `/console/tenants/${id}`, "/console/integrations/101", ...others]) {
      const { html } = await open(emulator, path);
      expect(html).not.toMatch(/<style|<script(?! type="module" src="\/console\/live\.js")|\sstyle=|\son[a-z]+=/i);
    }
  });

  test("is refused by a host name that is not a loopback name", async () => {
    const emulator = await startEmulator();
    const status = await new Promise<number>((resolve, reject) => {
      const { port } = new URL(emulator.url);
      const headers = { host: `rebound.example:${port}` };
      const sent = request({ host: "127.0.0.1", port, path: "/console/tenants", headers }, (response) => {
        response.resume();
        resolve(response.statusCode ?? 0);
      });
      sent.on("error", reject).end();
    });
    expect(status).toBe(403);
  });

  test("needs no API key, is not in the request log, and meets no faults", async () => {
    const emulator = await startEmulator();
    emulator.fault({ kind: "status", status: 500, times: 9 });
    for (const path of ["/console", "/console/", "/console/tenants", "/openapi.json"]) {
      expect((await open(emulator, path)).status).toBeLessThan(500);
    }
    expect(emulator.requests()).toEqual([]);
    expect((await call(emulator, "GET", "/v2/tenants")).status).toBe(500);
  });

  test("that does not exist is answered with a page", async () => {
    const emulator = await startEmulator();
    for (const path of ["/console/tenants/1", "/console/runs/1", "/console/integrations/x", "/console/x/y"]) {
      const { status, headers, html } = await open(emulator, path);
      expect(status).toBe(404);
      expect(headers.get("content-type")).toMatch(/^text\/html/);
      expect(html).toContain("<h1>Not found</h1>");
    }
  });
});

test("only the page after the form shows a new API key", async () => {
  const emulator = await startEmulator();
  const made = await post(emulator, "/console/settings/api-keys", { name: "ci" }, fromOwnPage);
  const location = made.headers.get("location") ?? "";
  const [, key = ""] = /data-secret>([\w-]+)</.exec((await open(emulator, location)).html) ?? [];
  expect((await call(emulator, "GET", "/v2/tenants", undefined, { "x-api-key": key })).status).toBe(200);

  expect((await open(emulator, location)).html).not.toContain(key);
  const { body } = await call(emulator, "GET", "/_emulator/api-keys");
  expect(JSON.stringify(body)).not.toContain(key);
  expect(Array.isArray(body) ? numberAt(body.at(-1), "id") : 0).toBeGreaterThan(1);
});
