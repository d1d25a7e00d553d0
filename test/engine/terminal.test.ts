import { beforeAll, describe, expect, test } from "vitest";
import { endAfterTests } from "../end-after-tests.ts";
import { createProject, type Project } from "./harness/create-project.ts";
import { diagnosticsOf } from "./harness/diagnostics.ts";
import { type LivePlatform, openPlatform } from "./harness/live-platform.ts";
import { quickIntegrations } from "./harness/quick-integrations.ts";

interface Declared {
  tenants?: object;
  fleet?: object;
}

describe("what a user sees in the terminal, step by step", () => {
  let platform: LivePlatform;
  let project: Project;

  const declare = ({ tenants = {}, fleet = {} }: Declared) =>
    project.writeStackYaml(`config:
  integration-platform:tenantDefaults: { integration: crm-to-billing }
  integration-platform:tenants: ${JSON.stringify(tenants)}
  integration-platform:fleets: ${JSON.stringify({ billing: { integration: "crm-to-billing", tenants: fleet } })}
`);
  const acme = (schedule: string, region = "eu") => ({
    schedule,
    configs: { region },
    sync: { mode: "init", on: ["configs"] },
  });
  const fleet = { t1: {}, t2: {}, t3: {} };
  const shown = async (args: string[]) => {
    const { stdout, stderr } = await project.run(args);
    return { stdout, messages: diagnosticsOf(stdout + stderr) };
  };
  const up = () => shown(["up", "--yes", "--skip-preview"]);

  beforeAll(() =>
    endAfterTests(async (open) => {
      platform = open.use(await openPlatform({ seed: { integrations: quickIntegrations() } }));
      project = open.use(await createProject({ stackYaml: "config: {}\n", env: platform.env }));
    }),
  );

  test("a preview and an up of a new fleet count its tenants in a note, and warn of nothing", async () => {
    await declare({ tenants: { acme: acme("0 1 * * *") }, fleet });
    const count = 'fleet "billing": creates 3 tenants';
    expect((await shown(["preview"])).messages).toEqual([count]);
    expect((await up()).messages).toEqual([count]);
  });

  test("the outputs are those that have a value", async () => {
    const { stdout } = await project.mustRun(["stack", "output", "--json"]);
    expect(JSON.parse(stdout)).toEqual({ tenants: { acme: (await platform.tenant("acme")).id } });
  });

  test("a change of the schedule is the only change in its preview, and requests no sync", async () => {
    for (const connector of ["crm", "billing"]) await platform.connect("acme", connector);
    await project.mustRun(["up", "--yes", "--skip-preview"]);
    await declare({ tenants: { acme: acme("0 2 * * *") }, fleet });
    const { stdout } = await project.mustRun(["preview", "--diff"]);
    expect(stdout).toContain('~ schedule: "0 1 * * *" => "0 2 * * *"');
    expect(stdout).not.toMatch(/SyncTrigger|unknown|--outputs:--/);
    platform.clearRequests();
    expect(await up()).toMatchObject({ messages: [] });
    expect(platform.writes().map(({ request }) => request)).toEqual([expect.stringMatching(/^PATCH/)]);
  });

  test("a change of the configs previews the sync, which is requested after the tenant was changed", async () => {
    await declare({ tenants: { acme: acme("0 2 * * *", "us") }, fleet });
    expect((await project.preview()).changeSummary).toMatchObject({ update: 2 });
    platform.clearRequests();
    await up();
    const writes = platform.writes().map(({ request }) => request.replace(/\d{4,}/, "N"));
    expect(writes).toEqual(["PATCH /v2/tenants/N", "POST /v2/tenants/N/sync"]);
  });

  test("a tenant that is taken over is named with its id, in a preview and in an up", async () => {
    const left = await platform.call("POST", "/v2/tenants", { integration_id: 101, name: "left" });
    const inFleet = await platform.call("POST", "/v2/tenants", { integration_id: 101, name: "t4" });
    await declare({ tenants: { acme: acme("0 2 * * *", "us"), left: {} }, fleet: { ...fleet, t4: {}, t5: {} } });
    const notes = [
      `fleet "billing": creates 1 tenant, takes over 1; 3 unchanged`,
      `fleet "billing": t4 takes over ${Object(inFleet).id}`,
      `tenant "left": takes over ${Object(left).id}`,
    ];
    expect((await shown(["preview"])).messages.toSorted()).toEqual(notes);
    expect((await up()).messages.toSorted()).toEqual(notes);
    expect((await platform.tenants()).map(({ name }) => name).sort()).toEqual([
      "acme",
      "left",
      "t1",
      "t2",
      "t3",
      "t4",
      "t5",
    ]);
  });

  test("an error of a read appears once for each resource, and ends as a sentence", async () => {
    platform.emulator.fault({ kind: "status", status: 403, match: { method: "GET" }, times: 99 });
    const { messages } = await shown(["preview"]);
    platform.emulator.clearFaults();
    const errors = messages.filter((message) => message.includes("status 403"));
    expect(errors).toHaveLength(3); // acme, left and the fleet; the sync needs no request
    for (const error of errors) expect(error).toMatch(/^error: (Preview failed: )?GET .*\(production or sandbox\)\.$/);
  });

  test("a preview warns of a fleet's tenant that up will refuse to archive, and up shows the refusal once", async () => {
    await platform.connect("t1", "crm");
    const { id } = await platform.tenant("t1");
    await declare({ tenants: { acme: acme("0 2 * * *", "us"), left: {} }, fleet: { t2: {}, t3: {}, t4: {}, t5: {} } });
    const preview = (await shown(["preview"])).messages;
    expect(preview).toContainEqual(expect.stringMatching(/^warning: fleet "billing": up will refuse to archive/));
    expect(preview.join("\n")).toContain(`t1 (${id}): its connector "crm" has the status "connected"`);
    const { messages } = await up();
    expect(messages.filter((message) => message.includes('tenant "t1"'))).toHaveLength(1);
    expect(await platform.tenant("t1")).toMatchObject({ id });
  });

  test("a refused deletion appears once", async () => {
    await declare({ tenants: { left: {} }, fleet: { ...fleet, t4: {}, t5: {} } });
    const { messages } = await up();
    const { id } = await platform.tenant("acme");
    expect(messages.filter((message) => message.includes('tenant "acme"'))).toEqual([
      expect.stringMatching(new RegExp(`^error: tenant "acme" \\(id ${id}\\) is connected.*and then remove it$`)),
    ]);
  });
});
