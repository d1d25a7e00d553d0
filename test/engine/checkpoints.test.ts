import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { endProcesses, processMark } from "../../bench/processes.ts";
import { findEngine } from "../../engine/find-engine.ts";
import { startCommand } from "../chaos/engine-command.ts";
import { endAfterTests } from "../end-after-tests.ts";
import { createProject } from "./harness/create-project.ts";
import { type LivePlatform, openPlatform } from "./harness/live-platform.ts";
import { unlock } from "./harness/unlock.ts";

const count = 30;
const mark = processMark();
let platform: LivePlatform;
let env: NodeJS.ProcessEnv;

beforeEach(() =>
  endAfterTests(async (open) => {
    platform = open.use(await openPlatform());
    env = { ...platform.env, INTEGRATION_PLATFORM_CHECKPOINTS: "end" };
  }),
);
afterEach(() => endProcesses(mark));

test("without checkpoints, what a killed create, change and destroy have done is found again", async () => {
  const stackYaml = (region: string) => {
    const tenants = Array.from(
      { length: count },
      (_, index) => `t-${index}: { metadata: { plan: gold, seats: ${index} } }`,
    );
    return `config:
  integration-platform:tenantDefaults: { integration: crm-to-billing, configs: { region: ${region} } }
  integration-platform:tenants: { ${tenants.join(", ")} }
`;
  };
  await using project = await createProject({ stackYaml: stackYaml("eu"), env });
  const killAfter = async (command: string, method: string) => {
    platform.clearRequests();
    platform.emulator.fault({ kind: "delay", ms: 500, times: 1000, match: { method, path: "^/v2/tenants" } });
    const running = startCommand((await findEngine()).command, [command, "--yes", "--skip-preview"], {
      project,
      env,
      mark,
    });
    const sent = () => platform.writes().filter(({ request }) => request.startsWith(method)).length;
    await vi.waitFor(() => expect(sent()).toBeGreaterThan(count / 2), { timeout: 120_000, interval: 10 });
    running.signal("all", "SIGKILL");
    await running.ended;
    platform.emulator.clearFaults();
    await unlock(project);
  };
  const stored = async () => {
    const { resources } = await project.exportState();
    return resources.filter(({ type }) => type.endsWith(":Tenant")).map(({ id }) => Number(id));
  };
  const live = async () => {
    const tenants = await platform.tenants();
    return Promise.all(
      tenants.map(async ({ id, name, configs }) => ({ id, name, configs, metadata: await platform.metadata(name) })),
    );
  };

  await killAfter("up", "POST");
  expect(await stored()).toEqual([]);
  await project.up().then(({ code, stdout }) => expect(code, stdout).toBe(0));
  const created = await live();
  expect(created).toHaveLength(count);
  expect(new Set(await stored())).toEqual(new Set(created.map(({ id }) => id)));

  await project.writeStackYaml(stackYaml("us"));
  await killAfter("up", "PATCH");
  await project.up().then(({ code, stdout }) => expect(code, stdout).toBe(0));
  expect(await live()).toEqual(created.map((tenant) => ({ ...tenant, configs: { region: "us" } })));
  expect(await platform.tenants({ archived: true })).toEqual([]);

  await killAfter("destroy", "DELETE");
  expect(await stored()).toHaveLength(count);
  await project.destroy().then(({ code, stdout }) => expect(code, stdout).toBe(0));
  expect(await platform.tenants()).toEqual([]);
  expect(await platform.tenants({ archived: true })).toHaveLength(count);
});

const refused = [
  ["a fleet", `new TenantFleet("f", { integration: 101, tenants: { a: {} } });`, /forget what a fleet's rollout/],
  ["a new sync", `new SyncTrigger("s", { tenantId: 1, mode: "init" });`, /forget this sync/],
  ["a new build", `new Build("b", { integrationId: 101, tag: "v9" });`, /Or set adopt: true/],
  [
    "a new override",
    `new Tenant("a", { integration: 101, override: { paused: true, reason: "INC-1" } });`,
    /forget whether the tenant was paused/,
  ],
  [
    "a resource of another provider",
    `new Component("receiver", {}, (parent) => new pulumi.CustomResource("aws:sqs/queue:Queue", "events", {}, { parent }));`,
    /events \(aws:sqs\/queue:Queue\) is a resource of another provider/,
  ],
] as const;

test("the preview refuses, without checkpoints, what a killed command could not find again", async () => {
  const program = `
import * as pulumi from "@pulumi/pulumi";
import { Build, SyncTrigger, Tenant, TenantFleet } from "pulumi-integration-platform";
class Component extends pulumi.ComponentResource {
  constructor(name: string, args: object, fill: (parent: pulumi.Resource) => void) {
    super("test:index:Component", name, args);
    fill(this);
  }
}
switch (process.env.DECLARED) {
${refused.map(([name, text]) => `  case "${name}":\n    ${text}\n    break;`).join("\n")}
  default:
    new Build("known", { integrationId: 101, tag: "v1.0.0", adopt: true });
}`;
  await using project = await createProject({ program, stackYaml: "config: {}\n", env });
  for (const [DECLARED, , reason] of refused) {
    const { code, stdout, stderr } = await project.run(["preview"], { env: { DECLARED } });
    const printed = (stdout + stderr).replaceAll(/\s+/g, " ");
    expect(printed).toMatch(reason);
    expect(printed).toContain("Run this command without INTEGRATION_PLATFORM_CHECKPOINTS and PULUMI_SKIP_CHECKPOINTS");
    expect(code).not.toBe(0);
  }
  const { stdout } = await project.mustRun(["preview"]);
  const [, diagnostics = ""] = stdout.split("Diagnostics:");
  expect(diagnostics.match(/the engine writes the state only when this command ends/g)).toHaveLength(1);
});
