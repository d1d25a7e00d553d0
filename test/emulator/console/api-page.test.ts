import { expect, test } from "vitest";
import { call, startEmulator } from "../running-emulator.ts";
import { open } from "./console-client.ts";

test("the page describes every endpoint of /openapi.json, with its parameters, body and statuses", async () => {
  const { html, description } = await read();
  const endpoints = Object.entries(Object(description.paths)).flatMap(([path, operations]) =>
    Object.entries(Object(operations)).map(([method, operation]) => ({ method, path, operation: Object(operation) })),
  );
  expect(endpoints).toHaveLength(23);
  for (const { method, path, operation } of endpoints) {
    const section = sectionOf(html, operation.operationId);
    expect(section).toMatch(new RegExp(`^${method.toUpperCase()} ${escaped(path)} ${escaped(operation.summary)}`));
    for (const { name, in: place } of operation.parameters ?? []) expect(section).toContain(`${name} ${place} `);
    expect(section.includes("Body: ")).toBe(operation.requestBody !== undefined);
    const statuses = Object.keys(operation.responses).filter((status) => status !== "403");
    for (const status of statuses) expect(section, `${method} ${path}`).toContain(` ${status} `);
  }
});

test("an endpoint says which parameters are required, their defaults and limits, and the shapes of its responses", async () => {
  const { html } = await read();
  const list = sectionOf(html, "get_tenants");
  expect(list).toContain("limit query integer no default 100; at least 1; at most 500");
  expect(list).toContain("200 Done list of Tenant 404 Not found ErrorMessage 422 Refused HTTPValidationError");
  expect(sectionOf(html, "post_tenants_tenant_id_sync")).toContain("mode query init or normal yes –");
  expect(sectionOf(html, "post_tenants_tenant_id_sync")).toContain("Body: FreeForm or null, optional");
  expect(sectionOf(html, "get_runs_run_id_log")).toMatch(/302 Redirect to a signed URL .* none/);
});

test("a shape lists its fields, also those inside others, with types, rules and its section of the specification", async () => {
  const { html } = await read();
  expect(sectionOf(html, "schema-CreateTenant")).toContain("name string yes matches ^[a-z0-9](?:[a-z0-9-]*[a-z0-9])?$");
  expect(sectionOf(html, "schema-CreateTenant")).toContain(
    "integration_release_channel Latest or Default or null no –",
  );
  expect(sectionOf(html, "schema-CreateTenant")).toContain("cron with five fields, UTC; for example 0 */6 * * *");
  const tenant = sectionOf(html, "schema-Tenant");
  expect(tenant).toContain("Specification, &quot;Tenant&quot;");
  expect(tenant).toContain("paused boolean or null no");
  expect(tenant).toContain("status.auth.connectors[].last_change string or null no");
  expect(sectionOf(html, "schema-ErrorMessage")).toContain("message string yes");
  expect(sectionOf(html, "schema-HTTPValidationError")).toContain("detail[].loc list of string or integer yes");
  expect(sectionOf(html, "schema-FreeForm")).toContain("Any fields.");
});

test("endpoints are grouped by noun, in the order of the specification", async () => {
  const { html } = await read();
  const groups = [...html.matchAll(/<h2 id="(\w+)">(\w+)<\/h2>\s*<p class="hint">([^<]*)</g)];
  expect(groups.map(([, , title, section]) => [title, section])).toEqual([
    ...["Builds", "Integrations", "Tenants", "Runs", "Proxy"].map((title) => [
      title,
      `Specification, &quot;Endpoints&quot;: ${title}`,
    ]),
    ["Shapes", expect.any(String)],
  ]);
});

test("every link within the page has a target, and no id is there twice", async () => {
  const { html } = await read();
  const ids = [...html.matchAll(/\sid="([^"]+)"/g)].map(([, id = ""]) => id);
  expect(new Set(ids).size).toBe(ids.length);
  const targets = [...html.matchAll(/href="#([^"]+)"/g)].map(([, id = ""]) => id);
  expect(targets.length).toBeGreaterThan(60);
  expect(targets.filter((target) => !ids.includes(target))).toEqual([]);
});

test("the page loads nothing from elsewhere", async () => {
  const { html } = await read();
  const loaded = [...html.matchAll(/<(?:script|link|img|iframe)\b[^>]*(?:src|href)="([^"]+)"/g)].map(([, url]) => url);
  expect(loaded.every((url) => url?.startsWith("/console/"))).toBe(true);
});

async function read() {
  const emulator = await startEmulator();
  const { body } = await call(emulator, "GET", "/openapi.json");
  const { status, html } = await open(emulator, "/console/api");
  expect(status).toBe(200);
  return { html, description: Object(body) };
}

/** The text of the section with an id. */
function sectionOf(html: string, id: string): string {
  const [, section = ""] = new RegExp(`<section class="described" id="${id}">([\\s\\S]*?)</section>`).exec(html) ?? [];
  return section
    .replace(/<[^>]+>/g, " ")
    .replace(/\s+/g, " ")
    .replace(/ ([,;.])/g, "$1")
    .replaceAll("&#39;", "'")
    .trim();
}

function escaped(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
}
