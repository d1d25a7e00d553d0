import { beforeAll, describe, expect, test } from "vitest";
import { endAfterTests } from "../end-after-tests.ts";
import { createDeclaredProject, type DeclaredProject } from "./harness/declared-project.ts";
import { configs, fleet, tenant } from "./harness/declared-tenants.ts";
import { type LivePlatform, openPlatform } from "./harness/live-platform.ts";
import { quickIntegrations } from "./harness/quick-integrations.ts";
import { urnOf } from "./harness/stored-state.ts";

let platform: LivePlatform;
let on: DeclaredProject;

beforeAll(() =>
  endAfterTests(async (open) => {
    platform = open.use(await openPlatform({ seed: { integrations: quickIntegrations() } }));
    on = open.use(await createDeclaredProject(platform));
  }),
);

const writes = () => platform.writes().map(({ request }) => request);
const liveNames = async () => (await platform.tenants()).map(({ name }) => name).sort();
const connect = async (name: string) => {
  for (const connector of ["crm", "billing"]) await platform.connect(name, connector);
};

describe("protect", () => {
  test("prevents removing or destroying a tenant and a fleet until the option is removed", async () => {
    const fleetTenants = { inside: { configs } };
    await on.mustUp([tenant("kept", { protect: true }), fleet(fleetTenants, { protect: true })]);
    const outcomes = [await on.up([]), await on.up([], "--refresh")];
    const destroyed = await on.project.destroy();
    outcomes.push({ code: destroyed.code, printed: destroyed.stdout + destroyed.stderr });
    for (const { code, printed } of outcomes) {
      expect(code).not.toBe(0);
      expect(printed).toMatch(/cannot be deleted\s+because it is protected/);
    }
    expect(writes()).toEqual([]);
    expect(await liveNames()).toEqual(["inside", "kept"]);

    await on.project.mustRun(["state", "unprotect", await urnOf(on.project, "kept"), "--yes"]);
    await on.mustUp([fleet(fleetTenants)]);
    expect(await liveNames()).toEqual(["inside"]);
    await on.mustUp([]);
    expect(await liveNames()).toEqual([]);
  });
});

// A tenant that another resource takes over, or that is replaced: ../in-process/retained-tenants.test.ts.
describe("retainOnDelete", () => {
  test("leaves removed or destroyed tenants unchanged, connected or not", async () => {
    const options = { retainOnDelete: true };
    const both = [tenant("connected", options, { adopt: true }), tenant("unconnected", options)];
    await on.mustUp(both);
    await connect("connected");
    const before = await platform.tenants();
    await on.mustUp([], "--refresh=false");
    expect(writes()).toEqual([]);

    await on.mustUp(both);
    expect(writes()).toEqual([]);
    await on.project.mustRun(["destroy", "--yes", "--skip-preview"]);
    expect(writes()).toEqual([]);
    expect(await platform.tenants()).toEqual(before);
    expect((await on.project.exportState()).resources).toEqual([]);
    for (const { name } of before) await platform.archive(name);
  });
});
