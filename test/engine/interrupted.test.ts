import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { endProcesses, isProvider, markedProcesses, processMark } from "../../bench/processes.ts";
import { findEngine } from "../../engine/find-engine.ts";
import { type RunningCommand, startCommand } from "../chaos/engine-command.ts";
import { endAfterTests } from "../end-after-tests.ts";
import { createProject, type Project } from "./harness/create-project.ts";
import { type LivePlatform, openPlatform } from "./harness/live-platform.ts";
import { holdsOnlyOn } from "./harness/provider-under-test.ts";
import { unlock } from "./harness/unlock.ts";

const count = 40;
const names = Array.from({ length: count }, (_, index) => `t-${index}`);
const declarations = {
  tenants: `config:
  integration-platform:tenantDefaults: { integration: crm-to-billing }
  integration-platform:tenants: { ${names.map((name) => `${name}: {}`).join(", ")} }
`,
  fleet: `config:
  integration-platform:fleets:
    billing: { integration: crm-to-billing, tenants: { ${names.map((name) => `${name}: {}`).join(", ")} } }
`,
};

let platform: LivePlatform;
let project: Project;
const mark = processMark();

beforeEach(() =>
  endAfterTests(async (open) => {
    platform = open.use(await openPlatform());
    project = open.use(await createProject({ stackYaml: "config: {}\n", env: platform.env }));
    platform.emulator.fault({ kind: "delay", ms: 1000, times: 1000, match: onPost });
  }),
);
afterEach(() => endProcesses(mark));

const onPost = { method: "POST", path: "^/v2/tenants$" };
const posts = () => platform.writes().filter(({ request }) => request === "POST /v2/tenants").length;
const providers = () => markedProcesses(mark).filter(({ command }) => isProvider.test(command));

/** Starts an up, and returns once it has begun to create tenants. */
async function startUp(declaration: string): Promise<RunningCommand> {
  await project.writeStackYaml(declaration);
  const args = ["up", "--yes", "--skip-preview", "--parallel", "8"];
  const running = startCommand((await findEngine()).command, args, { project, env: {}, mark });
  await vi.waitFor(() => expect(posts()).toBeGreaterThan(4), { timeout: 120_000, interval: 10 });
  return running;
}

/** The ids of the live tenants on the platform, and those that the state has. */
async function idsOnBothSides() {
  const { resources } = await project.exportState();
  const ids = resources.flatMap(({ type, id, outputs }) => {
    if (type.endsWith(":Tenant")) return [Number(id)];
    return type.endsWith(":TenantFleet")
      ? Object.values(Object(outputs.tenants)).map((entry) => Number(Object(entry).tenantId))
      : [];
  });
  return { live: (await platform.tenants()).map(({ id }) => id), stored: ids.sort((left, right) => left - right) };
}

function expectNoProvider() {
  return vi.waitFor(() => expect(providers()).toEqual([]), { timeout: 10_000, interval: 100 });
}

async function expectCompleted() {
  platform.emulator.clearFaults();
  await project.mustRun(["up", "--yes", "--skip-preview"]);
  const { live, stored } = await idsOnBothSides();
  expect(live).toHaveLength(count);
  expect(stored).toEqual(live);
  expect(await platform.tenants({ archived: true })).toEqual([]);
}

test.each(["tenants", "fleet"] as const)(
  "with a killed engine the provider ends too, and the next up creates no tenant twice (%s)",
  async (kind) => {
    const running = await startUp(declarations[kind]);
    expect(providers()).toHaveLength(1);
    running.signal("engine", "SIGKILL");
    await expectNoProvider();
    await unlock(project);
    await expectCompleted();
  },
);

test("a fleet whose replacement was killed after it had archived the tenants goes on with those that it had created", async () => {
  await project.writeStackYaml(declarations.fleet);
  platform.emulator.clearFaults();
  await project.mustRun(["up", "--yes", "--skip-preview"]);
  const former = (await platform.tenants()).map(({ id }) => id);
  platform.clearRequests();
  platform.emulator.fault({ kind: "delay", ms: 1000, times: 1000, match: onPost });

  const moved = declarations.fleet.replace("crm-to-billing", "shop-to-erp");
  const running = await startUp(moved);
  running.signal("engine", "SIGKILL");
  await expectNoProvider();
  await unlock(project);

  platform.emulator.clearFaults();
  await project.mustRun(["up", "--yes", "--skip-preview"]);
  const { live, stored } = await idsOnBothSides();
  expect(live).toHaveLength(count);
  expect(stored).toEqual(live);
  expect((await platform.tenants()).every(({ integration_id }) => integration_id === 102)).toBe(true);
  expect((await platform.tenants({ archived: true })).map(({ id }) => id)).toEqual(former);
});

test("Ctrl-C lets what is under way end and be stored, and nothing new begins", async () => {
  const running = await startUp(declarations.tenants);
  const before = posts();
  running.signal("group", "SIGINT");
  const { code } = await running.ended;
  expect(code).not.toBe(0);
  expect(posts()).toBeLessThanOrEqual(before + 16);
  const { live, stored } = await idsOnBothSides();
  expect(live.length).toBeGreaterThan(0);
  expect(stored).toEqual(live);
  await expectNoProvider();
  await expectCompleted();
});

test("Ctrl-C ends a fleet's work between two tenants, and the fleet keeps those that were created", async (context) => {
  holdsOnlyOn("native", context, "the engine does not tell the host of dynamic providers that it was asked to stop");
  const running = await startUp(declarations.fleet);
  running.signal("group", "SIGINT");
  const before = posts();
  const { code } = await running.ended;
  expect(code).not.toBe(0);
  expect(posts()).toBeLessThanOrEqual(before + 16);
  const { live, stored } = await idsOnBothSides();
  expect(live.length).toBeGreaterThan(0);
  expect(live.length).toBeLessThan(count);
  expect(stored).toEqual(live);
  await expectCompleted();
});
