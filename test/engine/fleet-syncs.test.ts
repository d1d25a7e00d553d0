import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createProject, type Project } from "./harness/create-project.ts";
import { type LivePlatform, openPlatform } from "./harness/live-platform.ts";
import { quickIntegrations } from "./harness/quick-integrations.ts";

describe("the syncs of a fleet in YAML, one step after the other", () => {
  let platform: LivePlatform;
  let project: Project;

  const declare = (sync: string, more = "") =>
    project.writeStackYaml(`config:
  integration-platform:fleets:
    billing:
      integration: crm-to-billing
      sync: { mode: init, ${sync} }
      tenants: { acme: { configs: { region: eu } }, bluebird: { configs: { region: us } } }
      ${more}
`);
  const fleetState = async () => (await project.exportState()).resources.find(({ urn }) => urn.endsWith("::billing"));
  const syncs = () => platform.writes().filter(({ request }) => request.endsWith("/sync"));

  beforeAll(async () => {
    platform = await openPlatform({ seed: { integrations: quickIntegrations() } });
    project = await createProject({ stackYaml: "config: {}\n", env: platform.env });
  });
  afterAll(async () => {
    await project[Symbol.asyncDispose]();
    await platform[Symbol.asyncDispose]();
  });

  it("skips the syncs of tenants that nobody has connected, and asks for each once somebody has", async () => {
    await declare("on: [configs]");
    platform.clearRequests();
    await project.mustRun(["up", "--yes", "--skip-preview"]);
    await project.mustRun(["up", "--yes", "--skip-preview", "--expect-no-changes"]);
    expect(syncs()).toEqual([]);
    for (const connector of ["crm", "billing"]) await platform.connect("acme", connector);
    expect((await project.preview()).changeSummary).toMatchObject({ update: 1 });
    await project.mustRun(["up", "--yes", "--skip-preview"]);
    expect(syncs()).toHaveLength(1);
    const { tenants } = Object((await fleetState())?.outputs);
    expect(tenants.acme.sync).toMatchObject({ verdict: "succeeded" });
    expect(tenants.bluebird.sync).toMatchObject({ verdict: "skipped" });
    await project.mustRun(["preview", "--expect-no-changes"]);
  });

  it("tries a failed sync again, of that tenant alone", async () => {
    const { id } = await platform.tenant("acme");
    await platform.call("PATCH", `/_emulator/tenants/${id}`, { runs: { takes_seconds: 0, outcome: "fail" } });
    await declare("when: again");
    const { code, stdout, stderr } = await project.up();
    expect(code).not.toBe(0);
    expect(stdout + stderr).toMatch(/a tenant is not as declared[\s\S]*acme: the init sync of tenant/);
    await platform.call("PATCH", `/_emulator/tenants/${id}`, { runs: { takes_seconds: 0 } });
    platform.clearRequests();
    expect((await project.preview()).changeSummary).toMatchObject({ update: 1 });
    await project.mustRun(["up", "--yes", "--skip-preview"]);
    expect(syncs()).toHaveLength(1);
    await project.mustRun(["preview", "--expect-no-changes"]);
  });

  it("destroys all but a connected tenant, which it names, and that one too once forceArchive was brought up", async () => {
    const { code, stdout, stderr } = await project.destroy();
    expect(code).not.toBe(0);
    expect(stdout + stderr).toMatch(/acme: tenant "acme" \(id \d+\) is connected/);
    expect((await platform.tenants()).map(({ name }) => name)).toEqual(["acme"]);
    await declare("when: again", "forceArchive: true");
    await project.mustRun(["up", "--yes", "--skip-preview"]);
    await project.mustRun(["destroy", "--yes", "--skip-preview"]);
    expect(await platform.tenants()).toEqual([]);
  });
});
