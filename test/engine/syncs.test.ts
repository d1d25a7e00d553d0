import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createProject, type Project } from "./harness/create-project.ts";
import { type LivePlatform, openPlatform } from "./harness/live-platform.ts";
import { quickIntegrations } from "./harness/quick-integrations.ts";

describe("a tenant's sync in YAML, one step after the other", () => {
  let platform: LivePlatform;
  let project: Project;

  const declare = (tenant: string, when = "first") =>
    project.writeStackYaml(`config:
  integration-platform:tenants:
    acme:
      integration: crm-to-billing
      ${tenant}
      sync: { mode: init, on: [configs, release], when: ${when} }
`);
  const syncs = () => platform.writes().filter(({ request }) => request.endsWith("/sync"));
  const sync = async () =>
    (await project.exportState()).resources.find(({ type }) => type.endsWith(":SyncTrigger"))?.outputs;
  const runsDo = async (runs: object) =>
    platform.call("PATCH", `/_emulator/tenants/${(await platform.tenant("acme")).id}`, { runs });

  beforeAll(async () => {
    platform = await openPlatform({ seed: { integrations: quickIntegrations() } });
    project = await createProject({ stackYaml: "config: {}\n", env: platform.env });
  });
  afterAll(async () => {
    await project[Symbol.asyncDispose]();
    await platform[Symbol.asyncDispose]();
  });

  it("is skipped while nobody has connected the tenant, and shows no change as long as that is so", async () => {
    await declare("configs: { region: eu }");
    await project.mustRun(["up", "--yes"]);
    expect(await sync()).toMatchObject({ verdict: "skipped" });
    await project.mustRun(["up", "--yes", "--expect-no-changes"]);
    expect(syncs()).toEqual([]);
  });

  it("runs in the first up that sees the tenant connected, and then no more", async () => {
    for (const connector of ["crm", "billing"]) await platform.connect("acme", connector);
    expect((await project.preview()).changeSummary).toMatchObject({ update: 1 });
    await project.mustRun(["up", "--yes"]);
    expect(syncs()).toHaveLength(1);
    expect(await sync()).toMatchObject({ verdict: "succeeded", status: "succeeded", triggerId: expect.any(String) });
    await project.mustRun(["up", "--yes", "--expect-no-changes"]);
    expect(syncs()).toHaveLength(1);
  });

  const usConfigs = "configs: { region: us }";
  const otherRelease = `${usConfigs}\n      release: { id: 902 }`;
  const otherSchedule = `${otherRelease}\n      schedule: "0 1 * * *"`;

  it.each<[string, string, string, number]>([
    ["runs again where the configs change", usConfigs, "first", 1],
    ["runs again where the release changes", otherRelease, "first", 1],
    ["runs again where the text of `when` changes", otherRelease, "second", 1],
    ["does not run where the schedule changes, which it was not told to look at", otherSchedule, "second", 0],
  ])("%s", async (_, tenant, when, count) => {
    await declare(tenant, when);
    platform.clearRequests();
    await project.mustRun(["up", "--yes", "--skip-preview"]);
    expect(syncs()).toHaveLength(count);
    await project.mustRun(["preview", "--expect-no-changes"]);
  });

  it("does not run where somebody's drift is put right", async () => {
    await platform.change("acme", { user_schedule: "5 5 * * *" });
    platform.clearRequests();
    await project.mustRun(["up", "--yes"]);
    expect((await platform.tenant("acme")).user_schedule).toBe("0 1 * * *");
    expect(syncs()).toEqual([]);
  });

  it("fails the up where its run fails, with the status and where the log is, and is tried again by the next", async () => {
    await runsDo({ takes_seconds: 0, outcome: "fail", failure: "no such customer" });
    await declare("configs: { region: eu }", "third");
    platform.clearRequests();
    const { code, stdout, stderr } = await project.up();
    expect(code).not.toBe(0);
    const [, runId] = /failed with status "failed".*GET \/v2\/runs\/(\d+)\/log/s.exec(stdout + stderr) ?? [];
    expect(JSON.stringify(await platform.call("GET", `/_emulator/runs/${runId}`))).toContain("no such customer");
    const failed = await sync();
    expect(failed).toMatchObject({ verdict: "failed", triggerId: expect.any(String) });

    expect((await project.preview()).changeSummary).toMatchObject({ update: 1 });
    await runsDo({ takes_seconds: 0 });
    await project.mustRun(["up", "--yes"]);
    expect(syncs()).toHaveLength(2);
    expect(await sync()).toMatchObject({ verdict: "succeeded" });
    expect((await sync())?.triggerId).not.toBe(failed?.triggerId);
    await project.mustRun(["preview", "--expect-no-changes"]);
  });

  it("is no more than forgotten when it is deleted", async () => {
    for (const connector of ["crm", "billing"]) {
      const { id } = await platform.tenant("acme");
      await platform.call("POST", `/_emulator/tenants/${id}/connectors/${connector}`, { status: "disconnected" });
    }
    platform.clearRequests();
    await project.mustRun(["destroy", "--yes"]);
    expect(platform.writes().map(({ request }) => request)).toEqual([expect.stringMatching(/^DELETE/)]);
  });
});
