import { request } from "node:http";
import { describe, expect, test } from "vitest";
import { call, install, numberAt, startEmulator } from "../running-emulator.ts";
import { open, post, tokenOf } from "./console-client.ts";

describe("a form", () => {
  test.each([
    ["without a token", {}, {}],
    ["with another token", { form_token: "x".repeat(43) }, {}],
    ["with a token of another length", { form_token: "x" }, {}],
  ])("is refused %s", async (_, fields, headers) => {
    const emulator = await startEmulator();
    const id = await install(emulator);
    const answer = await post(emulator, `/console/tenants/${id}/archive`, fields, headers);
    expect(answer.status).toBe(403);
    expect((await call(emulator, "GET", `/_emulator/tenants/${id}`)).body).toMatchObject({ archived: false });
  });

  test.each([
    ["another origin", { origin: "http://evil.example" }],
    ["an origin without a name", { origin: "null" }],
    ["another port of this machine", { origin: "http://localhost:9999" }],
    ["another site", { "sec-fetch-site": "cross-site" }],
    ["another name of this site", { "sec-fetch-site": "same-site" }],
  ])("is refused from %s, though its token is right", async (_, headers) => {
    const emulator = await startEmulator();
    const id = await install(emulator);
    const form_token = tokenOf((await open(emulator, `/console/tenants/${id}`)).html);
    const answer = await post(emulator, `/console/tenants/${id}/archive`, { form_token }, headers);
    expect(answer.status).toBe(403);
    expect((await call(emulator, "GET", `/_emulator/tenants/${id}`)).body).toMatchObject({ archived: false });
  });

  test("is taken from its own page", async () => {
    const emulator = await startEmulator();
    const id = await install(emulator);
    const form_token = tokenOf((await open(emulator, `/console/tenants/${id}`)).html);
    const own = { origin: "http://localhost", "sec-fetch-site": "same-origin" };
    const answer = await post(emulator, `/console/tenants/${id}/archive`, { form_token }, own);
    expect(answer.status).toBe(303);
    expect((await call(emulator, "GET", `/_emulator/tenants/${id}`)).body).toMatchObject({ archived: true });
  });

  test("is refused as JSON", async () => {
    const emulator = await startEmulator();
    const id = await install(emulator);
    const headers = { "content-type": "application/json" };
    expect((await post(emulator, `/console/tenants/${id}/archive`, {}, headers)).status).toBe(415);
  });

  test("of one emulator is refused by another", async () => {
    const [one, other] = [await startEmulator(), await startEmulator()];
    const form_token = tokenOf((await open(one, "/console/settings/api-access")).html);
    expect((await post(other, "/console/settings/api-keys", { form_token, name: "x" })).status).toBe(403);
  });
});

describe("every page", () => {
  test.each(["/console/tenants", "/console/nothing", "/console/console.css", "/console/tenants/1"])(
    "may load nothing from elsewhere, nor stand in a frame: %s",
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

  test("has no script and no style in itself", async () => {
    const emulator = await startEmulator();
    const id = await install(emulator);
    for (const path of ["/console/tenants", `/console/tenants/${id}`, "/console/integrations/101"]) {
      const { html } = await open(emulator, path);
      expect(html).not.toMatch(/<style|<script(?! type="module" src="\/console\/live\.js")|\sstyle=|\son[a-z]+=/i);
    }
  });

  test("is refused by a name that is not this machine's", async () => {
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

  test("needs no key, and is neither in the request log nor struck by faults", async () => {
    const emulator = await startEmulator();
    emulator.fault({ kind: "status", status: 500, times: 9 });
    for (const path of ["/console", "/console/", "/console/tenants", "/openapi.json"]) {
      expect((await open(emulator, path)).status).toBeLessThan(500);
    }
    expect(emulator.requests()).toEqual([]);
    expect((await call(emulator, "GET", "/v2/tenants")).status).toBe(500);
  });

  test("of what is not there is a page as well", async () => {
    const emulator = await startEmulator();
    for (const path of ["/console/tenants/1", "/console/runs/1", "/console/integrations/x", "/console/x/y"]) {
      const { status, headers, html } = await open(emulator, path);
      expect(status).toBe(404);
      expect(headers.get("content-type")).toMatch(/^text\/html/);
      expect(html).toContain("<h1>Not found</h1>");
    }
  });
});

test("an API key made by a form is in no other page", async () => {
  const emulator = await startEmulator();
  const form_token = tokenOf((await open(emulator, "/console/settings/api-access")).html);
  const made = await post(emulator, "/console/settings/api-keys", { form_token, name: "ci" });
  const location = made.headers.get("location") ?? "";
  const [, key = ""] = /data-secret>([\w-]+)</.exec((await open(emulator, location)).html) ?? [];
  expect((await call(emulator, "GET", "/v2/tenants", undefined, { "x-api-key": key })).status).toBe(200);

  expect((await open(emulator, location)).html).not.toContain(key);
  const { body } = await call(emulator, "GET", "/_emulator/api-keys");
  expect(JSON.stringify(body)).not.toContain(key);
  expect(Array.isArray(body) ? numberAt(body.at(-1), "id") : 0).toBeGreaterThan(1);
});
