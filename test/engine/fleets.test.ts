import { beforeAll, describe, expect, test } from "vitest";
import { endAfterTests } from "../end-after-tests.ts";
import { changedPaths } from "./harness/changed-paths.ts";
import { createProject, type Project } from "./harness/create-project.ts";
import { encrypt } from "./harness/encrypt.ts";
import { type LivePlatform, openPlatform } from "./harness/live-platform.ts";

const secrets = { own: "plain-own-7f3a", shared: "plain-shared-91bc" };

describe("a fleet in YAML, step by step", () => {
  let platform: LivePlatform;
  let project: Project;
  let ciphers: { own: string; shared: string };

  const declare = () =>
    project.writeStackYaml(`config:
  integration-platform:fleets:
    billing:
      integration: crm-to-billing
      defaults:
        schedule: "0 */6 * * *"
        configs: { region: eu, login: { user: robot, password: ${ciphers.shared} } }
      tenantsFrom: [tenants/billing.yaml, tenants/each]
      tenants:
        acme: { paused: false, configs: { api_token: ${ciphers.own} }, metadata: { plan: gold } }
`);
  const fleetState = async () => (await project.exportState()).resources.find(({ urn }) => urn.endsWith("::billing"));

  beforeAll(() =>
    endAfterTests(async (open) => {
      platform = open.use(await openPlatform());
      project = open.use(await createProject({ stackYaml: "config: {}\n", env: platform.env }));
      const [own = "", shared = ""] = await encrypt(project, secrets.own, secrets.shared);
      ciphers = { own, shared };
      await project.put("tenants/billing.yaml", "bluebird: { configs: { region: us } }\ncedar: { name: cedar-2 }\n");
      await project.put("tenants/each/dune.yaml", "paused: false\nrelease: { tag: v1.0.0 }\n");
      await declare();
    }),
  );

  test("creates nothing in a preview", async () => {
    expect((await project.preview()).changeSummary).toEqual({ create: 2 });
    expect(platform.writes()).toEqual([]);
  });

  test("applies the merged layers", async () => {
    await project.mustRun(["up", "--yes", "--skip-preview", "--diff"]);
    const login = { user: "robot", password: secrets.shared };
    expect((await platform.tenants()).map(({ name }) => name).sort()).toEqual(["acme", "bluebird", "cedar-2", "dune"]);
    expect(await platform.tenant("acme")).toMatchObject({
      paused: false,
      user_schedule: "0 */6 * * *",
      configs: { region: "eu", login, api_token: secrets.own },
    });
    expect(await platform.metadata("acme")).toEqual({ plan: "gold" });
    expect(await platform.tenant("bluebird")).toMatchObject({ paused: true, configs: { region: "us", login } });
    expect(await platform.tenant("dune")).toMatchObject({ paused: false, integration_release_id: 901 });
    const { id } = await platform.tenant("acme");
    expect((await fleetState())?.outputs).toMatchObject({ integrationId: 101, tenants: { acme: { tenantId: id } } });
  });

  test("changes nothing in a second up, and a refresh finds no drift", async () => {
    platform.clearRequests();
    await project.mustRun(["up", "--yes", "--skip-preview", "--expect-no-changes"]);
    await project.mustRun(["refresh", "--yes", "--expect-no-changes"]);
    expect(platform.writes()).toEqual([]);
  });

  test("shows only the changed paths and a line with their counts", async () => {
    await project.put(
      "tenants/billing.yaml",
      "bluebird: { configs: { region: uk } }\ncedar: { name: cedar-2 }\neagle: {}\n",
    );
    expect(changedPaths(await project.preview())).toEqual({
      billing: { "tenants.bluebird.configs.region": "update", "tenants.eagle": "add" },
    });
    const { stdout, stderr } = await project.mustRun(["preview", "--diff"]);
    expect(stdout + stderr).toContain('fleet "billing": creates 1 tenant, changes 1; 3 unchanged');
    expect(stdout + stderr).toContain('fleet "billing": bluebird: configs.region "us" -> "uk"');
    expect(stdout).not.toMatch(/acme|cedar|dune/);
    platform.clearRequests();
    await project.mustRun(["up", "--yes", "--skip-preview", "--diff"]);
    expect(
      platform
        .writes()
        .map(({ request }) => request.replace(/\d+$/, "N"))
        .sort(),
    ).toEqual(["PATCH /v2/tenants/N", "POST /v2/tenants"]);
  });

  test("shows drift by the path of each tenant and repairs it", async () => {
    const { configs } = await platform.tenant("acme");
    const { id } = await platform.tenant("bluebird");
    await platform.change("acme", {
      configs: { ...configs, login: { user: "robot", password: "somebody's" }, note: "by hand" },
    });
    await platform.change("dune", { paused: true, integration_release_id: 902 });
    await platform.archive("bluebird");
    const preview = await project.preview();
    expect(changedPaths(preview)).toEqual({
      billing: {
        "tenants.acme.configs.login.password": "update",
        "tenants.dune.paused": "update",
        "tenants.dune.release.tag": "update",
        "tenants.bluebird": "add",
      },
    });
    const { stdout, stderr } = await project.mustRun(["up", "--yes", "--skip-preview", "--refresh", "--diff"]);
    expect(stdout + stderr).toContain("acme: configs.login.password (secret) -> (secret)");
    expect((await platform.tenant("acme")).configs).toEqual({ ...configs, note: "by hand" });
    expect(await platform.tenant("dune")).toMatchObject({ paused: false, integration_release_id: 901 });
    expect((await platform.tenant("bluebird")).id).not.toBe(id);
    await project.mustRun(["preview", "--expect-no-changes"]);
  });

  test("keeps every secret out of the state and out of the output", async () => {
    await project.mustRun(["stack", "output", "--json"]);
    const { text } = await project.exportState();
    expect(text).toContain("api_token");
    for (const secret of [...Object.values(secrets), "somebody's"]) {
      expect(text).not.toContain(secret);
      expect(project.printed()).not.toContain(secret);
    }
  });

  test("archives every tenant in a destroy", async () => {
    await project.mustRun(["destroy", "--yes", "--skip-preview"]);
    expect(await platform.tenants()).toEqual([]);
    expect(await platform.tenants({ archived: true })).toHaveLength(6); // bluebird was archived twice
  });
});
