import { setTimeout as sleep } from "node:timers/promises";
import { beforeEach, expect, test, vi } from "vitest";
import { endAfterTests } from "../end-after-tests.ts";
import { createProject, type Project } from "./harness/create-project.ts";
import { type LivePlatform, openPlatform } from "./harness/live-platform.ts";
import { unlock } from "./harness/unlock.ts";

const stackYaml = `config:
  integration-platform:fleets:
    billing:
      integration: crm-to-billing
      defaults: { configs: { region: eu } }
      tenantsFrom: tenants.yaml
`;

let platform: LivePlatform;
let project: Project;

beforeEach(() =>
  endAfterTests(async (open) => {
    platform = open.use(await openPlatform());
    project = open.use(await createProject({ stackYaml, env: platform.env }));
  }),
);

const onPost = { method: "POST", path: "^/v2/tenants$" };
const posts = () => platform.writes().filter(({ request }) => request === "POST /v2/tenants");

function declare(count: number) {
  const tenants = Array.from({ length: count }, (_, index) => `t-${index}: { paused: false }`);
  return project.put("tenants.yaml", `${tenants.join("\n")}\n`);
}

/** Throws while tenants are still being created. */
async function expectQuiet() {
  const before = posts().length;
  await sleep(2000);
  expect(posts()).toHaveLength(before);
}

/** The platform ids of the tenants in the state, by key. */
async function stored(): Promise<Record<string, number>> {
  const { resources } = await project.exportState();
  const { outputs } = resources.find(({ type }) => type.endsWith(":TenantFleet")) ?? {};
  const entries = Object.entries(Object(outputs?.tenants));
  return Object.fromEntries(entries.map(([key, entry]) => [key, Object(entry).tenantId]));
}

test("keeps all of the largest fleet that is accepted, and refuses a larger one", async () => {
  const note = "x".repeat(990_000);
  const declareLarge = (count: number) => {
    const tenants = Array.from({ length: count }, (_, index) => `t-${index}: { configs: { note: ${note} } }\n`);
    return project.put("tenants.yaml", `${tenants.join("")}last: { metadata: { plan: gold } }\n`);
  };
  await declareLarge(11);
  const refused = await project.run(["preview"]);
  expect(refused.code).not.toBe(0);
  expect(refused.stdout + refused.stderr).toMatch(/tenants: may take at most 10\.0 MB in the state.*Divide the fleet/);

  await declareLarge(10);
  platform.emulator.fault({ kind: "status", status: 422, body: { detail: [] }, match: { path: "metadata$" } });
  const failed = await project.up();
  expect(failed.code).not.toBe(0);
  expect(failed.stdout + failed.stderr).toContain("a tenant is not as declared");
  expect(Object.keys(await stored())).toHaveLength(11);
  platform.clearRequests();
  await project.mustRun(["up", "--yes", "--skip-preview"]);
  expect(posts()).toEqual([]);
  expect(await platform.metadata("last")).toEqual({ plan: "gold" });
});

test("finds the tenants of an up that was killed, and creates none twice", async () => {
  await declare(200);
  platform.emulator.fault({ kind: "delay", ms: 500, times: 10_000, match: onPost });
  const kill = new AbortController();
  const killed = project.up([], { signal: kill.signal });
  await vi.waitFor(() => expect(posts().length).toBeGreaterThan(60), { timeout: 120_000, interval: 10 });
  kill.abort();
  expect((await killed).code).toBeNull();
  await vi.waitFor(expectQuiet, { timeout: 60_000 });
  platform.emulator.clearFaults();
  const made = new Map((await platform.tenants()).map(({ id, name }) => [name, id]));
  expect(made.size).toBeGreaterThan(0);
  expect(made.size).toBeLessThan(200);

  await unlock(project);
  await project.mustRun(["up", "--yes", "--skip-preview"]);
  const tenants = await platform.tenants();
  expect(new Set(tenants.map(({ name }) => name)).size).toBe(200);
  expect(tenants).toHaveLength(200);
  expect(await platform.tenants({ archived: true })).toEqual([]);
  const ids = await stored();
  expect(ids).toMatchObject(Object.fromEntries(made));
  expect(Object.keys(ids)).toHaveLength(200);
  await project.mustRun(["preview", "--expect-no-changes"]);
});
