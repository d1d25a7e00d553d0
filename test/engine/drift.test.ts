import { beforeAll, describe, expect, test } from "vitest";
import { endAfterTests } from "../end-after-tests.ts";
import { changedPaths } from "./harness/changed-paths.ts";
import { createProject, type Project } from "./harness/create-project.ts";
import { type LivePlatform, openPlatform } from "./harness/live-platform.ts";

const stackYaml = `config:
  integration-platform:tenantDefaults: { integration: crm-to-billing }
  integration-platform:tenants:
    configured: { configs: { region: eu, batch_size: 100 } }
    labelled: { metadata: { plan: gold } }
    pinned: { release: { tag: v1.0.0 } }
    running: { paused: false }
    scheduled: { schedule: "0 */6 * * *" }
    left-alone: {}
`;

describe("drift of a stack that declares only some settings", () => {
  let platform: LivePlatform;
  let project: Project;

  beforeAll(() =>
    endAfterTests(async (open) => {
      platform = open.use(await openPlatform());
      project = open.use(await createProject({ stackYaml, env: platform.env }));
      await project.mustRun(["up", "--yes", "--skip-preview"]);
    }),
  );

  test("appears in a preview by path, but only for declared settings", async () => {
    await platform.change("configured", { configs: { region: "us", note: "by hand" } });
    await platform.changeMetadata("labelled", { plan: "tin" });
    await platform.change("pinned", { integration_release_id: 902 });
    await platform.change("running", { paused: true });
    await platform.change("scheduled", { user_schedule: null });
    await platform.change("left-alone", { paused: false, user_schedule: "1 1 * * *", configs: { region: "us" } });

    expect(changedPaths(await project.preview())).toEqual({
      configured: { "configs.region": "update", "configs.batch_size": "add" },
      labelled: { "metadata.plan": "update" },
      pinned: { "release.tag": "update" },
      running: { paused: "update" },
      scheduled: { schedule: "update" },
    });
  });

  test("appears in a refresh with both values, which also updates the state", async () => {
    const { stdout } = await project.mustRun(["refresh", "--yes", "--skip-preview", "--diff"]);
    expect(stdout).toContain("~ 5 updated");
    expect(stdout).toMatch(/region\s*: "eu" => "us"/);
    expect(stdout).toMatch(/plan\s*: "gold" => "tin"/);
    expect(stdout).toMatch(/tag\s*: "v1.0.0" => "v1.1.0"/);
    expect(stdout).toMatch(/paused\s*: false => true/);
    expect(stdout).toMatch(/schedule\s*: "0 \*\/6 \* \* \*" => "none"/);

    const { resources } = await project.exportState();
    expect(resources.find(({ urn }) => urn.endsWith("::running"))?.outputs).toMatchObject({ paused: true });
  });

  test("is reverted by up, with one request for each tenant that sends only the differing settings", async () => {
    const [pinned, running, scheduled] = await Promise.all(["pinned", "running", "scheduled"].map(platform.tenant));
    platform.clearRequests();
    await project.mustRun(["up", "--yes", "--skip-preview"]);

    const writes = platform.writes();
    expect(writes).toHaveLength(5);
    expect(writes).toContainEqual({ request: `PATCH /v2/tenants/${running?.id}`, body: { paused: false } });
    expect(writes).toContainEqual({
      request: `PATCH /v2/tenants/${scheduled?.id}`,
      body: { user_schedule: "0 */6 * * *" },
    });
    expect(writes).toContainEqual({
      request: `PATCH /v2/tenants/${pinned?.id}`,
      body: { integration_release_id: 901, integration_release_channel: null },
    });
    expect((await platform.tenant("configured")).configs).toEqual({ region: "eu", batch_size: 100, note: "by hand" });
    expect(await platform.metadata("labelled")).toEqual({ plan: "gold" });
    expect(await platform.tenant("left-alone")).toMatchObject({ paused: false, configs: { region: "us" } });
  });

  test("is gone after that up", async () => {
    await project.mustRun(["preview", "--expect-no-changes"]);
  });

  test("makes up create a new tenant if the old one is archived", async () => {
    const { id } = await platform.tenant("scheduled");
    await platform.archive("scheduled");
    platform.clearRequests();

    const { stdout } = await project.mustRun(["up", "--yes", "--skip-preview"]);
    expect(stdout).toContain("+ 1 created");
    expect(platform.writes().map(({ request }) => request)).toEqual(["POST /v2/tenants"]);
    const made = await platform.tenant("scheduled");
    expect(made.id).not.toBe(id);
    expect(made.user_schedule).toBe("0 */6 * * *");
  });

  test("is not assumed while the platform fails, so every tenant stays in the state", async () => {
    for (const fault of [
      { kind: "status", status: 503, times: 1000 } as const,
      { kind: "status", status: 404, body: { message: "no such path" }, times: 1000 } as const,
      { kind: "wrong-shape", times: 1000 } as const,
    ]) {
      platform.emulator.fault({ ...fault, match: { path: "^/v2/tenants$" } });
      const { code } = await project.refresh();
      expect(code).not.toBe(0);
      platform.emulator.clearFaults();
    }
    expect((await project.exportState()).resources.filter(({ type }) => type.endsWith(":Tenant"))).toHaveLength(6);
    await project.mustRun(["preview", "--expect-no-changes"]);
  });
});
