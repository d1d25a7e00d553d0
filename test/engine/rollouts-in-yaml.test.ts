import { readFile } from "node:fs/promises";
import { beforeAll, describe, expect, test } from "vitest";
import { endAfterTests } from "../end-after-tests.ts";
import { createProject, type Project } from "./harness/create-project.ts";
import { type LivePlatform, openPlatform } from "./harness/live-platform.ts";

describe("a rollout in YAML", () => {
  let platform: LivePlatform;
  let project: Project;

  const yaml = (release: string) => `config:
  integration-platform:fleets:
    billing:
      integration: crm-to-billing
      defaults: { release: { tag: ${release} } }
      tenants: { acme: {}, beta: {}, oldco: { release: { tag: v1.0.0 } } }
      rollout:
        waves: [{ name: canary, tenants: [acme], approval: required }, { percent: 100 }]
        gate: { minTenants: 0 }
        freeze: [{ from: 2020-12-20, to: 2021-01-03 }]
        approvals: { v1.0.0: { canary: CHG-1 }, v1.1.0: { canary: CHG-2 } }
`;
  const releases = async () => {
    const tenants = await platform.tenants();
    return Object.fromEntries(tenants.map(({ name, integration_release_id: id }) => [name, id]));
  };
  const outputs = async () => JSON.parse((await project.mustRun(["stack", "output", "--json"])).stdout);

  beforeAll(() =>
    endAfterTests(async (open) => {
      platform = open.use(await openPlatform());
      project = open.use(await createProject({ stackYaml: yaml("v1.0.0"), env: platform.env }));
    }),
  );

  test("creates the tenants of a new fleet on its target", async () => {
    await project.mustRun(["up", "--yes", "--skip-preview"]);
    expect(await releases()).toEqual({ acme: 901, beta: 901, oldco: 901 });
  });

  test("moves a wave an up to the release that the defaults name now, and says where it stands", async () => {
    await project.writeStackYaml(yaml("v1.1.0"));
    await project.mustRun(["up", "--yes"]);
    expect(await releases()).toEqual({ acme: 902, beta: 901, oldco: 901 });
    expect(await outputs()).toEqual({
      rollouts: {
        billing: { phase: "progressing", status: expect.stringContaining("1 of 2 on v1.1.0"), remaining: "" },
      },
    });
    await project.mustRun(["up", "--yes", "--skip-preview"]);
    expect(await releases()).toEqual({ acme: 902, beta: 902, oldco: 901 });
    expect(await outputs()).toMatchObject({
      rollouts: { billing: { phase: "done", remaining: expect.stringContaining("default release is still v1.0.0") } },
    });
  });

  test("has nothing to do when the engine has written its days into the file in another form", async () => {
    await project.mustRun([
      "config",
      "set",
      "--path",
      "integration-platform:fleets.billing.integration",
      "crm-to-billing",
    ]);
    const file = await readFile(project.stackFile, "utf8");
    expect(file).toContain("2020-12-20 00:00:00 +0000 UTC");
    const before = platform.writes();
    expect((await project.preview()).changeSummary).toEqual({ same: 3 });
    expect(platform.writes()).toEqual(before);
  });
});
