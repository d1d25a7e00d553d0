import { beforeAll, describe, expect, test } from "vitest";
import { endAfterTests } from "../end-after-tests.ts";
import { engineKeys, engineScalars } from "../stack/engine-scalars.ts";
import { createProject, type Project } from "./harness/create-project.ts";
import { encrypt } from "./harness/encrypt.ts";
import { type LivePlatform, openPlatform } from "./harness/live-platform.ts";

const apiKey = "plain-key-5d21";
const secrets = { token: "plain-token-7f3a", nested: "plain-nested-91bc", listed: "plain-listed-c04e" };
const everySecret = [apiKey, ...Object.values(secrets)];

describe("a stack of tenants in YAML, step by step", () => {
  let platform: LivePlatform;
  let project: Project;

  beforeAll(() =>
    endAfterTests(async (open) => {
      platform = open.use(await openPlatform({ apiKey }));
      project = open.use(await createProject({ stackYaml: "config: {}\n" }));
      const [token, nested, listed, key] = await encrypt(project, ...Object.values(secrets), apiKey);
      await project.writeStackYaml(`config:
  integration-platform:baseUrl: ${platform.emulator.url}
  integration-platform:apiKey: ${key}
  integration-platform:tenantDefaults:
    integration: crm-to-billing
    schedule: "0 */6 * * *"
    configs: { region: eu, mapping: { id: customer } }
    metadata: { plan: silver }
  integration-platform:tenants:
    acme:
      release: { tag: v1.0.0 }
      paused: false
      configs:
        api_token: ${token}
        login: { user: robot, password: ${nested} }
        hosts: [{ name: one, password: ${listed} }, { name: two }]
      metadata: { plan: gold }
    bluebird:
      release: { channel: Latest }
      configs: { region: us, mapping: { name: title } }
    kelp:
      integration: 103
      name: kelp-hr
      schedule: none
      configs: { company_id: kelp-22 }
`);
    }),
  );

  test("creates nothing in a preview", async () => {
    await project.mustRun(["preview", "--diff"]);
    expect(platform.writes()).toEqual([]);
  });

  test("applies the declaration over the defaults", async () => {
    await project.mustRun(["up", "--yes", "--skip-preview", "--diff"]);

    expect(await platform.tenants()).toHaveLength(3);
    expect(await platform.tenant("acme")).toMatchObject({
      integration_id: 101,
      paused: false,
      user_schedule: "0 */6 * * *",
      integration_release_id: 901,
      integration_release_channel: null,
      configs: {
        region: "eu",
        mapping: { id: "customer" },
        api_token: secrets.token,
        login: { user: "robot", password: secrets.nested },
        hosts: [{ name: "one", password: secrets.listed }, { name: "two" }],
      },
    });
    expect(await platform.metadata("acme")).toEqual({ plan: "gold" });
    expect(await platform.tenant("bluebird")).toMatchObject({
      paused: true,
      integration_release_channel: "Latest",
      configs: { region: "us", mapping: { id: "customer", name: "title" } },
    });
    expect(await platform.tenant("kelp-hr")).toMatchObject({ integration_id: 103, user_schedule: null });
    expect(await platform.metadata("kelp-hr")).toEqual({ plan: "silver" });
  });

  test("changes nothing in a second up", async () => {
    platform.clearRequests();
    await project.mustRun(["up", "--yes", "--skip-preview", "--expect-no-changes"]);
    expect(platform.writes()).toEqual([]);
  });

  test("writes nothing to the state in a refresh without drift", async () => {
    const lastWritten = async () => {
      const { resources } = await project.exportState();
      return resources.map(({ urn, modified }) => ({ urn, modified }));
    };
    const before = await lastWritten();
    await project.mustRun(["refresh", "--yes", "--expect-no-changes"]);
    expect(await lastWritten()).toEqual(before);
  });

  test("shows drift in a secret as a change, and repairs it", async () => {
    const { configs } = await platform.tenant("acme");
    await platform.change("acme", { configs: { ...configs, login: { user: "robot", password: "somebody's" } } });
    const { stdout } = await project.mustRun(["preview", "--diff"]);
    expect(stdout).toMatch(/password: \[secret\] => \[secret\]/);
    await project.mustRun(["up", "--yes", "--skip-preview", "--diff"]);
    expect((await platform.tenant("acme")).configs).toEqual(configs);
  });

  test("keeps every secret out of the state and out of the output", async () => {
    expect((await project.preview()).changeSummary).toEqual({ same: 4 });
    await project.mustRun(["stack", "output", "--json"]);
    const { text } = await project.exportState();
    expect(text).toContain("acme");
    for (const secret of [...everySecret, "somebody's"]) {
      expect(text).not.toContain(secret);
      expect(project.printed()).not.toContain(secret);
    }
  });

  test("archives every tenant in a destroy", async () => {
    await project.mustRun(["destroy", "--yes", "--skip-preview"]);
    expect(await platform.tenants()).toEqual([]);
    expect(await platform.tenants({ archived: true })).toHaveLength(3);
    for (const secret of everySecret) expect(project.printed()).not.toContain(secret);
  });
});

describe("values that the engine reads otherwise than JavaScript", () => {
  test("are as the table has them", async () => {
    const items = engineScalars.map(([written]) => `    - ${written}\n`);
    await using project = await createProject({ stackYaml: `config:\n  other:scalars:\n${items.join("")}` });
    const { stdout } = await project.mustRun(["config", "get", "other:scalars"]);
    expect(JSON.parse(stdout)).toEqual(engineScalars.map(([, inEngine]) => inEngine));
  });

  test("are as the table of keys has them", async () => {
    const items = engineKeys.map(([written]) => `    - { ${written}: x }\n`);
    await using project = await createProject({ stackYaml: `config:\n  other:keys:\n${items.join("")}` });
    const { stdout } = await project.mustRun(["config", "get", "other:keys"]);
    expect(JSON.parse(stdout)).toEqual(engineKeys.map(([, inEngine]) => ({ [inEngine]: "x" })));
  });

  test("are refused, and never sent in the engine's form", async () => {
    await using platform = await openPlatform({ apiKey });
    await using project = await createProject({ stackYaml: "config: {}\n", env: platform.env });
    await project.writeStackYaml(`config:
  integration-platform:tenants:
    acme:
      integration: crm-to-billing
      configs: { mapping: { 0010: total } }
      metadata: { contract_end: 2027-01-31, cost_center: 0471 }
`);
    const { code, stdout, stderr } = await project.run(["up", "--yes"]);
    expect(code).not.toBe(0);
    expect(stdout + stderr).toMatch(/Pulumi\.test\.yaml:5:29: .*mapping\.10: is another key than written/);
    expect(stdout + stderr).toMatch(/Pulumi\.test\.yaml:6:33: .*contract_end: is another value to Pulumi/);
    expect(stdout + stderr).toMatch(/Pulumi\.test\.yaml:6:58: .*cost_center: is a number with leading zeros/);
    expect(platform.writes()).toEqual([]);

    await project.writeStackYaml(`config:
  integration-platform:tenants:
    acme: { integration: crm-to-billing, metadata: { contract_end: "2027-01-31", cost_center: "0471" } }
`);
    await project.mustRun(["up", "--yes", "--skip-preview"]);
    expect(await platform.metadata("acme")).toEqual({ contract_end: "2027-01-31", cost_center: "0471" });
  });
});
