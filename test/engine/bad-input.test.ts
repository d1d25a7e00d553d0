import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { createProject, type Project } from "./harness/create-project.ts";
import { type LivePlatform, openPlatform } from "./harness/live-platform.ts";

const apiKey = "the-right-key-61f0";
const acme = "acme: { integration: crm-to-billing, configs: { region: eu } }";

interface BadInput {
  /** What stands under `integration-platform:tenants`. Default: a tenant that is in order. */
  readonly tenants?: string;
  /** Over what would reach the emulator. */
  readonly env?: NodeJS.ProcessEnv;
  /** What was made by others before. */
  readonly before?: () => Promise<unknown>;
  /** What the user is told, each in its own words. */
  readonly told: readonly RegExp[];
}

describe("bad input: up says what is wrong, and changes nothing", () => {
  let platform: LivePlatform;
  let project: Project;
  let html: Awaited<ReturnType<typeof serveHtml>>;

  beforeAll(async () => {
    platform = await openPlatform({ apiKey });
    html = await serveHtml();
    project = await createProject({ stackYaml: "config: {}\n", env: platform.env });
  });
  afterAll(async () => {
    await project[Symbol.asyncDispose]();
    await platform[Symbol.asyncDispose]();
    html.close();
  });
  beforeEach(() => platform.emulator.reset());

  const cases: Record<string, () => BadInput> = {
    "no key": () => ({
      env: { INTEGRATION_PLATFORM_API_KEY: undefined },
      told: [/no API key/i, /INTEGRATION_PLATFORM_API_KEY/, /integration-platform:apiKey/],
    }),
    "no base URL": () => ({
      env: { INTEGRATION_PLATFORM_BASE_URL: undefined },
      told: [/no base URL/i, /INTEGRATION_PLATFORM_BASE_URL/],
    }),
    "a wrong key": () => ({
      env: { INTEGRATION_PLATFORM_API_KEY: "the-wrong-key-9c2d" },
      told: [/GET \/v2\/\S+/, /403/, /INTEGRATION_PLATFORM_API_KEY/],
    }),
    "a server that cannot be reached": () => ({
      env: { INTEGRATION_PLATFORM_BASE_URL: "http://127.0.0.1:1" },
      told: [/http:\/\/127\.0\.0\.1:1/, /ECONNREFUSED|refused|reach/i],
    }),
    "a server that speaks HTML": () => ({
      env: { INTEGRATION_PLATFORM_BASE_URL: html.url },
      told: [/HTML/, /base address/],
    }),
    "a base URL with a wrong path": () => ({
      env: { INTEGRATION_PLATFORM_BASE_URL: `${platform.emulator.url}/api` },
      told: [/404/, /\/api/],
    }),
    "a base URL that is none": () => ({
      env: { INTEGRATION_PLATFORM_BASE_URL: "platform dot example" },
      told: [/baseUrl: not a URL/],
    }),
    "plain http to a host that is not loopback": () => ({
      env: { INTEGRATION_PLATFORM_BASE_URL: "http://platform.example.com" },
      told: [/https/, /platform\.example\.com/, /allowInsecureHttp/],
    }),
    "a file with several problems": () => ({
      tenants: `acme:
      integration: crm-to-billing
      shedule: "0 * * * *"
      release: { tag: v1.0.0, channel: Latest }
      configs: { region: eu }
    Blue_Bird: { integration: crm-to-billing, schedule: "61 * * * *" }
    cedar: { paused: "yes" }`,
      told: [
        /Pulumi\.test\.yaml:5:7: .*shedule.*did you mean "schedule"\?/,
        /Pulumi\.test\.yaml:6:7: .*release.*one way/,
        /Pulumi\.test\.yaml:8:5: .*Blue_Bird/,
        /Pulumi\.test\.yaml:8:47: .*schedule.*cron/,
        /Pulumi\.test\.yaml:9:14: .*paused/,
        /nothing has been changed/,
      ],
    }),
    "a file that is no YAML": () => ({ tenants: "acme: { integration: crm-to-billing", told: [/invalid YAML/] }),
    "an integration that there is not": () => ({
      tenants: "acme: { integration: crm-to-biling }",
      told: [/Pulumi\.test\.yaml:3:13: .*"crm-to-biling".*did you mean "crm-to-billing"\?/],
    }),
    "a release tag that there is not": () => ({
      tenants: "acme: { integration: crm-to-billing, release: { tag: v1.0.1 } }",
      told: [/Pulumi\.test\.yaml:3:\d+: .*"v1.0.1".*did you mean "v1.\d.\d"\?/],
    }),
    "configs and metadata that do not fit the release's schemas": () => ({
      tenants: `acme:
      integration: shop-to-erp
      release: { tag: v2.0.0 }
      configs: { warehouse: 7, curency: EUR }
      metadata: { tier: platinum }`,
      told: [
        /Pulumi\.test\.yaml:6:\d+: .*configs\.warehouse/,
        /Pulumi\.test\.yaml:6:\d+: .*configs\.curency.*did you mean "currency"\?/,
        /Pulumi\.test\.yaml:7:\d+: .*metadata\.tier.*bronze/,
      ],
    }),
    "configs that do not fit the release that the integration gives": () => ({
      tenants: "acme: { integration: hr-to-payroll, configs: { country: de } }",
      told: [/acme.*configs\.country/, /acme.*company_id/],
    }),
    "two tenants of one name in the file": () => ({
      tenants: `${acme}\n    second: { integration: crm-to-billing, name: acme }`,
      told: [/Pulumi\.test\.yaml:4:5: .*"acme" again/],
    }),
    "two tenants of one name, by the name and by the id of their integration": () => ({
      tenants: `${acme}\n    second: { integration: 101, name: acme }`,
      told: [/Pulumi\.test\.yaml:4:5: .*"acme" again/],
    }),
    "two tenants of one name on the platform": () => ({
      before: () => Promise.all([addTenant("acme"), addTenant("acme")]),
      told: [/acme/, /2 live tenants/, /5001.*5002/, /adopt/],
    }),
    "a tenant of that name that is not as this stack would make it": () => ({
      before: () => addTenant("acme", { configs: { region: "us" } }),
      told: [/"acme" \(id 5001\)/, /configs\.region/, /adopt: true/],
    }),
  };

  it.each(Object.keys(cases))("%s", async (name) => {
    const { tenants = acme, env = {}, before, told } = cases[name]?.() ?? { told: [] };
    await before?.();
    const made = await platform.tenants();
    platform.clearRequests();
    html.clearRequests();
    await project.writeStackYaml(`config:\n  integration-platform:tenants:\n    ${tenants}\n`);

    const { code, stdout, stderr } = await project.run(["up", "--yes"], { env });
    expect(code).not.toBe(0);
    for (const words of told) expect(stdout + stderr).toMatch(words);
    expect(stdout + stderr).not.toMatch(/the-(right|wrong)-key|\n\s+at .*:\d+:\d+|undefined/);
    expect([...platform.writes(), ...html.writes()]).toEqual([]);
    expect(await platform.tenants()).toEqual(made);
    expect((await project.exportState()).resources.filter(({ type }) => type.endsWith(":Tenant"))).toEqual([]);
  });

  function addTenant(name: string, fields: object = {}) {
    return platform.call("POST", "/v2/tenants", { name, integration_id: 101, ...fields });
  }
});

/** A web server that knows nothing of the API, as behind a wrong address. */
async function serveHtml() {
  const methods: (string | undefined)[] = [];
  const server = createServer((request, response) => {
    methods.push(request.method);
    response.setHeader("content-type", "text/html").end("<!doctype html><title>Welcome</title><p>Please log in</p>");
  });
  const port = await new Promise<number>((resolve) => {
    server.listen(0, "127.0.0.1", () => resolve(portOf(server.address())));
  });
  return {
    url: `http://127.0.0.1:${port}`,
    writes: () => methods.filter((method) => method !== "GET"),
    clearRequests: () => void methods.splice(0),
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

function portOf(address: AddressInfo | string | null): number {
  return typeof address === "object" ? (address?.port ?? 0) : 0;
}
