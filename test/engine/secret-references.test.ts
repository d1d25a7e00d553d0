import { beforeAll, describe, expect, test } from "vitest";
import { endAfterTests } from "../end-after-tests.ts";
import { createProject, type Project } from "./harness/create-project.ts";
import { type LivePlatform, openPlatform } from "./harness/live-platform.ts";

const stackYaml = ({ version = 1, region = "eu", paused = false, plan = "gold" } = {}) => `config:
  integration-platform:resolvers: { op: ./resolvers/op.mjs }
  integration-platform:tenantDefaults: { integration: crm-to-billing }
  integration-platform:tenants:
    acme:
      paused: ${paused}
      configs: { region: ${region}, api_token: { ref: "env:ACME_TOKEN", version: ${version} } }
      metadata: { plan: ${plan} }
    falcon: { configs: { ref: main, version: "1" }, metadata: { literal: { ref: "env:ACME_TOKEN" } } }
    bluebird: { configs: { region: ${region}, api_token: { ref: "file:secrets/bluebird" } } }
  integration-platform:fleets:
    billing:
      integration: crm-to-billing
      tenants:
        egret: { metadata: { ref: "env:ACME_TOKEN" } }
        corvid: { configs: { region: eu, api_token: { ref: "op:corvid/token", version: v7 } } }
      tenantsFrom: tenants.yaml
`;
const tenants = `dune: { configs: { region: eu, api_token: { ref: "env:ACME_TOKEN", version: 1 } } }\n`;
const resolver = "export const resolve = async (rest, { version }) => [`own-value`, rest, version].join(`-`);\n";

const values = ["first-value", "second-value", "file-value", "own-value", "by-hand-value"];

describe("secrets that a stack declares by reference", () => {
  let platform: LivePlatform;
  let project: Project;

  beforeAll(() =>
    endAfterTests(async (open) => {
      platform = open.use(await openPlatform());
      project = open.use(await createProject({ stackYaml: stackYaml(), env: platform.env }));
      await project.put("secrets/bluebird", "file-value\n");
      await project.put("resolvers/op.mjs", resolver);
      await project.put("tenants.yaml", tenants);
    }),
  );

  const token = (value: string | undefined) => ({ env: { ACME_TOKEN: value } });

  /** No value is in the state, and no command has printed one. */
  async function expectNowhere() {
    const { text } = await project.exportState();
    for (const value of values) {
      expect(text).not.toContain(value);
      expect(project.printed()).not.toContain(value);
    }
  }

  test("are written by up, from variables, files and a resolver of the project, and are not in the state", async () => {
    await project.mustRun(["up", "--yes"], token("first-value"));
    expect((await platform.tenant("acme")).configs).toMatchObject({ api_token: "first-value" });
    expect((await platform.tenant("bluebird")).configs).toMatchObject({ api_token: "file-value" });
    expect((await platform.tenant("corvid")).configs).toMatchObject({ api_token: "own-value-corvid/token-v7" });
    expect((await platform.tenant("dune")).configs).toMatchObject({ api_token: "first-value" });
    // a whole object of configs or metadata is no reference, whatever its keys
    expect((await platform.tenant("falcon")).configs).toEqual({ ref: "main", version: "1" });
    expect(await platform.metadata("falcon")).toEqual({ literal: "first-value" });
    expect(await platform.metadata("egret")).toEqual({ ref: "env:ACME_TOKEN" });
    await expectNowhere();
    await project.mustRun(["up", "--yes", "--refresh", "--skip-preview", "--expect-no-changes"], token("first-value"));
  });

  test("are drift if the platform has another value, which the next up replaces", async () => {
    await platform.change("acme", { configs: { region: "eu", api_token: "by-hand-value" } });
    await project.mustRun(["refresh", "--yes", "--skip-preview"], token("first-value"));
    const { text } = await project.exportState();
    expect(text).toMatch(/"differs": ?true/);
    await expectNowhere();
    await project.mustRun(["up", "--yes", "--skip-preview"], token("first-value"));
    expect((await platform.tenant("acme")).configs).toMatchObject({ api_token: "first-value" });
    await project.mustRun(["refresh", "--yes", "--skip-preview", "--expect-no-changes"], token("first-value"));
  });

  test("are written again with a new version", async () => {
    await project.writeStackYaml(stackYaml({ version: 2 }));
    await project.mustRun(["up", "--yes", "--skip-preview", "--target", "**acme"], token("second-value"));
    expect((await platform.tenant("acme")).configs).toMatchObject({ api_token: "second-value" });
    await expectNowhere();
  });

  test("stop neither a refresh nor a pause while they cannot be resolved, and fail only the tenant that needs them", async () => {
    const nowhere = token(undefined);
    const { stdout, stderr } = await project.mustRun(
      ["refresh", "--yes", "--skip-preview", "--expect-no-changes"],
      nowhere,
    );
    expect(stdout + stderr).toMatch(/env:ACME_TOKEN \(version 2\) cannot be resolved: .* is not set where Pulumi runs/);

    await project.writeStackYaml(stackYaml({ version: 2, paused: true }));
    await project.mustRun(["up", "--yes", "--skip-preview"], nowhere);
    expect((await platform.tenant("acme")).paused).toBe(true);

    await project.writeStackYaml(stackYaml({ version: 2, paused: true, region: "us", plan: "silver" }));
    const failed = await project.up(["--continue-on-error"], nowhere);
    expect(failed.code).not.toBe(0);
    expect(failed.stdout + failed.stderr).toMatch(
      /tenant "acme".*configs\.api_token refers to env:ACME_TOKEN \(version 2\)/,
    );
    expect((await platform.tenant("acme")).configs).toMatchObject({ region: "eu", api_token: "second-value" });
    expect(await platform.metadata("acme")).toEqual({ plan: "silver" });
    expect((await platform.tenant("bluebird")).configs).toMatchObject({ region: "us", api_token: "file-value" });

    await project.mustRun(["up", "--yes", "--skip-preview"], token("second-value"));
    expect((await platform.tenant("acme")).configs).toMatchObject({ region: "us", api_token: "second-value" });
    await expectNowhere();
  });
});
