import { beforeAll, describe, expect, test } from "vitest";
import { endAfterTests } from "../end-after-tests.ts";
import type { StackProject } from "../engine/harness/create-project.ts";
import { type LivePlatform, openPlatform } from "../engine/harness/live-platform.ts";
import { quickIntegrations } from "../engine/harness/quick-integrations.ts";
import { createInProcessProject } from "./create-in-process-project.ts";

describe("the syncs of a fleet in YAML, step by step", () => {
  let platform: LivePlatform;
  let project: StackProject;

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

  beforeAll(() =>
    endAfterTests(async (open) => {
      platform = open.use(await openPlatform({ seed: { integrations: quickIntegrations() } }));
      project = open.use(await createInProcessProject({ stackYaml: "config: {}\n", env: platform.env }));
    }),
  );

  test("skips the syncs of tenants that are not connected, and starts each once after its tenant is connected", async () => {
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
    expect(tenants.acme.sync).toMatchObject({ outcome: "succeeded" });
    expect(tenants.bluebird.sync).toMatchObject({ outcome: "skipped" });
    await project.mustRun(["preview", "--expect-no-changes"]);
  });

  test("retries a failed sync of one tenant without syncing the others", async () => {
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

  test("destroys all but a connected tenant, names it, and destroys it too after an up with forceArchive", async () => {
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
