import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { endAfterTests } from "../end-after-tests.ts";
import { createProject, type Project } from "./harness/create-project.ts";
import { type LivePlatform, openPlatform } from "./harness/live-platform.ts";

const apiKey = "the-right-key-61f0";
const acme = "acme: { integration: crm-to-billing, configs: { region: eu } }";

// test/messages is the table of all mistakes in a stack's files and in its connection, without the engine. These are one of
// each kind: how the engine gets a variable, an error of the platform, of the files, of the program, of check and of create.

interface BadInput {
  /** The value of `integration-platform:tenants`. Default: a valid tenant. */
  readonly tenants?: string;
  /** Environment variables, in addition to those that point to the emulator. */
  readonly env?: NodeJS.ProcessEnv;
  /** Tenants that exist on the platform before the up. */
  readonly before?: () => Promise<unknown>;
  /** Patterns that the output must match. */
  readonly expected: readonly RegExp[];
}

describe("with bad input, up reports the mistake and changes nothing", () => {
  let platform: LivePlatform;
  let project: Project;

  beforeAll(() =>
    endAfterTests(async (open) => {
      platform = open.use(await openPlatform({ apiKey }));
      project = open.use(await createProject({ stackYaml: "config: {}\n", env: platform.env }));
    }),
  );
  beforeEach(() => platform.emulator.reset());

  const cases: Record<string, () => BadInput> = {
    "no key": () => ({
      env: { INTEGRATION_PLATFORM_API_KEY: undefined },
      expected: [/no API key/i, /INTEGRATION_PLATFORM_API_KEY/, /integration-platform:apiKey/],
    }),
    "a wrong key": () => ({
      env: { INTEGRATION_PLATFORM_API_KEY: "the-wrong-key-9c2d" },
      expected: [/GET \/v2\/\S+/, /403/, /INTEGRATION_PLATFORM_API_KEY/],
    }),
    "a file with several problems": () => ({
      tenants: `acme:
      integration: crm-to-billing
      shedule: "0 * * * *"
      release: { tag: v1.0.0, channel: Latest }
      configs: { region: eu }
    Blue_Bird: { integration: crm-to-billing, schedule: "61 * * * *" }
    cedar: { paused: "yes" }`,
      expected: [
        /Pulumi\.test\.yaml:5:7: .*shedule.*did you mean "schedule"\?/,
        /Pulumi\.test\.yaml:6:7: .*release: must have exactly one of id, tag, channel and build/,
        /Pulumi\.test\.yaml:8:5: .*Blue_Bird/,
        /Pulumi\.test\.yaml:8:47: .*schedule: minute 61 is not 0 to 59/,
        /Pulumi\.test\.yaml:9:14: .*paused/,
        /nothing has been changed/,
      ],
    }),
    "a file with invalid YAML": () => ({ tenants: "acme: { integration: crm-to-billing", expected: [/invalid YAML/] }),
    "a required config that a tenant beside the new one has": () => ({
      tenants: "acme: { integration: hr-to-payroll, configs: { country: de } }",
      before: () => addTenant("globex", { integration_id: 103, configs: { company_id: "g1" } }),
      expected: [
        /Pulumi\.test\.yaml:3:\d+: tenants\.acme\.configs\.country: must match the pattern.*hr-to-payroll v1\.0\.0/,
        /Pulumi\.test\.yaml:3:\d+: tenants\.acme\.configs\.company_id: is required\. To allow it, set schemaViolations: warn \(schema of hr-to-payroll v1\.0\.0\)/,
      ],
    }),
    "a file that only the engine can use": () => ({
      tenants: `${acme}\n  shop:x: !!binary aGVsbG8=`,
      expected: [/a problem; nothing has been changed:\s+Pulumi\.test\.yaml:4:20: is a value that JSON cannot hold/],
    }),
    "an unknown id to adopt": () => ({
      tenants: "acme: { integration: crm-to-billing, adopt: 4711 }",
      expected: [/resource 'acme' has a problem: adopt: there is no live tenant with id 4711 .*[Cc]orrect the id/],
    }),
    "two tenants with the same name on the platform": () => ({
      before: () => Promise.all([addTenant("acme"), addTenant("acme")]),
      expected: [/acme/, /2 live tenants/, /5001.*5002/, /adopt/],
    }),
    "an existing tenant with the same name and different settings": () => ({
      before: () => addTenant("acme", { configs: { region: "us" } }),
      expected: [/"acme" \(id 5001\)/, /configs\.region/, /adopt: true/, /renamed.*aliases/],
    }),
  };

  test.each(Object.keys(cases))("%s", async (name) => {
    const { tenants = acme, env = {}, before, expected } = cases[name]?.() ?? { expected: [] };
    await before?.();
    const made = await platform.tenants();
    platform.clearRequests();
    await project.writeStackYaml(`config:\n  integration-platform:tenants:\n    ${tenants}\n`);

    const { code, stdout, stderr } = await project.run(["up", "--yes"], { env });
    expect(code).not.toBe(0);
    for (const pattern of expected) expect(stdout + stderr).toMatch(pattern);
    expect(stdout + stderr).not.toMatch(/the-(right|wrong)-key|\n\s+at .*:\d+:\d+|undefined/);
    expect(platform.writes()).toEqual([]);
    expect(await platform.tenants()).toEqual(made);
    expect((await project.exportState()).resources.filter(({ type }) => type.endsWith(":Tenant"))).toEqual([]);
  });

  function addTenant(name: string, fields: object = {}) {
    return platform.call("POST", "/v2/tenants", { name, integration_id: 101, ...fields });
  }
});
