import { beforeAll, describe, expect, test } from "vitest";
import { endAfterTests } from "../end-after-tests.ts";
import type { StackProject } from "../engine/harness/create-project.ts";
import { type LivePlatform, openPlatform } from "../engine/harness/live-platform.ts";
import { quickIntegrations } from "../engine/harness/quick-integrations.ts";
import { createInProcessProject } from "./create-in-process-project.ts";

describe("a tenant's sync in YAML, step by step", () => {
  let platform: LivePlatform;
  let project: StackProject;

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

  beforeAll(() =>
    endAfterTests(async (open) => {
      platform = open.use(await openPlatform({ seed: { integrations: quickIntegrations() } }));
      project = open.use(await createInProcessProject({ stackYaml: "config: {}\n", env: platform.env }));
    }),
  );

  test("is skipped and shows no change while the tenant is not connected", async () => {
    await declare("configs: { region: eu }");
    await project.mustRun(["up", "--yes"]);
    expect(await sync()).toMatchObject({ outcome: "skipped" });
    await project.mustRun(["up", "--yes", "--expect-no-changes"]);
    expect(syncs()).toEqual([]);
  });

  test("runs only in the first up after the tenant is connected", async () => {
    for (const connector of ["crm", "billing"]) await platform.connect("acme", connector);
    expect((await project.preview()).changeSummary).toMatchObject({ update: 1 });
    await project.mustRun(["up", "--yes"]);
    expect(syncs()).toHaveLength(1);
    expect(await sync()).toMatchObject({ outcome: "succeeded", status: "succeeded", triggerId: expect.any(String) });
    await project.mustRun(["up", "--yes", "--expect-no-changes"]);
    expect(syncs()).toHaveLength(1);
  });

  const usConfigs = "configs: { region: us }";
  const otherRelease = `${usConfigs}\n      release: { id: 902 }`;
  const otherSchedule = `${otherRelease}\n      schedule: "0 1 * * *"`;

  test.each<[string, string, string, number]>([
    ["runs again if the configs change", usConfigs, "first", 1],
    ["runs again if the release changes", otherRelease, "first", 1],
    ["runs again if the text of `when` changes", otherRelease, "second", 1],
    ["does not run if the schedule changes, because `when` does not include it", otherSchedule, "second", 0],
  ])("%s", async (_, tenant, when, count) => {
    await declare(tenant, when);
    platform.clearRequests();
    await project.mustRun(["up", "--yes", "--skip-preview"]);
    expect(syncs()).toHaveLength(count);
    await project.mustRun(["preview", "--expect-no-changes"]);
  });

  test("does not run if an up repairs drift", async () => {
    await platform.change("acme", { user_schedule: "5 5 * * *" });
    platform.clearRequests();
    await project.mustRun(["up", "--yes"]);
    expect((await platform.tenant("acme")).user_schedule).toBe("0 1 * * *");
    expect(syncs()).toEqual([]);
  });

  test("fails the up if its run fails, reports the status and the log's place, and runs again in the next up", async () => {
    await runsDo({ takes_seconds: 0, outcome: "fail", failure: "no such customer" });
    await declare("configs: { region: eu }", "third");
    platform.clearRequests();
    const { code, stdout, stderr } = await project.up();
    expect(code).not.toBe(0);
    const [, runId] =
      /failed with status "Failed \(Integration Issue\)".*GET \/v2\/runs\/(\d+)\/log/s.exec(stdout + stderr) ?? [];
    expect(JSON.stringify(await platform.call("GET", `/_emulator/runs/${runId}`))).toContain("no such customer");
    const failed = await sync();
    expect(failed).toMatchObject({ outcome: "failed", triggerId: expect.any(String) });

    expect((await project.preview()).changeSummary).toMatchObject({ update: 1 });
    await runsDo({ takes_seconds: 0 });
    await project.mustRun(["up", "--yes"]);
    expect(syncs()).toHaveLength(2);
    expect(await sync()).toMatchObject({ outcome: "succeeded" });
    expect((await sync())?.triggerId).not.toBe(failed?.triggerId);
    await project.mustRun(["preview", "--expect-no-changes"]);
  });

  test("is removed only from the state when it is deleted", async () => {
    for (const connector of ["crm", "billing"]) {
      const { id } = await platform.tenant("acme");
      await platform.call("POST", `/_emulator/tenants/${id}/connectors/${connector}`, { status: "disconnected" });
    }
    platform.clearRequests();
    await project.mustRun(["destroy", "--yes"]);
    expect(platform.writes().map(({ request }) => request)).toEqual([expect.stringMatching(/^DELETE/)]);
  });
});
