import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { changedPaths } from "./harness/changed-paths.ts";
import { createDeclaredProject, type DeclaredProject, type DeclaredResource } from "./harness/declared-project.ts";
import { type LivePlatform, openPlatform } from "./harness/live-platform.ts";
import { quickIntegrations } from "./harness/quick-integrations.ts";
import { urnOf } from "./harness/stored-state.ts";

const integration = "crm-to-billing";
const configs = { region: "eu", batch_size: 100 };

function tenant(name: string, options: object = {}, args: object = {}): DeclaredResource {
  return { type: "Tenant", name, args: { integration, configs, ...args }, options };
}

function fleet(tenants: object, options: object = {}): DeclaredResource {
  return { type: "TenantFleet", name: "billing", args: { integration, tenants }, options };
}

let platform: LivePlatform;
let on: DeclaredProject;

beforeAll(async () => {
  platform = await openPlatform({ seed: { integrations: quickIntegrations() } });
  on = await createDeclaredProject(platform);
});
afterAll(async () => {
  await on[Symbol.asyncDispose]();
  await platform[Symbol.asyncDispose]();
});

const writes = () => platform.writes().map(({ request }) => request);
const liveNames = async () => (await platform.tenants()).map(({ name }) => name).sort();
const connect = async (name: string) => {
  for (const connector of ["crm", "billing"]) await platform.connect(name, connector);
};

describe("protect", () => {
  it("keeps a tenant and a fleet from being removed or destroyed, until it is taken off", async () => {
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

describe("retainOnDelete", () => {
  it("leaves tenants that are removed or destroyed as they are, connected or not", async () => {
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

describe("ignoreChanges", () => {
  it("leaves hand changes of what is ignored, and repairs the others", async () => {
    const ignoreChanges = ["configs.region", "paused"];
    const ignored = (more: object = {}) => tenant("ignored", { ignoreChanges }, { paused: false, ...more });
    await on.mustUp([ignored()]);
    await platform.change("ignored", { paused: true, configs: { region: "us", batch_size: 5 } });
    expect(changedPaths(await on.project.preview(["--refresh"]))).toEqual({
      ignored: { "configs.batch_size": "update" },
    });
    await on.mustUp([ignored()], "--refresh");
    expect(platform.writes().map(({ body }) => body)).toEqual([{ configs: { region: "us", batch_size: 100 } }]);
    expect(await platform.tenant("ignored")).toMatchObject({ paused: true, configs: { region: "us" } });

    await on.mustUp([ignored({ configs: { region: "uk", batch_size: 100 } })], "--refresh", "--expect-no-changes");
    await platform.change("ignored", { configs: { batch_size: 100 } });
    await on.mustUp([ignored()], "--refresh", "--expect-no-changes");
    expect(writes()).toEqual([]);
  });

  it("takes whatever the platform holds there, though nobody may declare it", async () => {
    const settings = { schedule: "0 1 * * *", release: { tag: "v1.0.0" }, metadata: { plan: "gold" }, paused: false };
    const odd = tenant("odd", { ignoreChanges: ["schedule", "release", "configs", "metadata", "paused"] }, settings);
    await on.mustUp([odd]);
    const changes = [
      { user_schedule: "", integration_release_id: null, metadata: { plan: null } },
      { user_schedule: "@daily", integration_release_channel: "Latest", configs: null, paused: null },
    ];
    const { id } = await platform.tenant("odd");
    for (const change of changes) {
      await platform.call("PATCH", `/_emulator/tenants/${id}`, change);
      await on.mustUp([odd], "--refresh", "--expect-no-changes");
      expect(writes()).toEqual([]);
    }
    await on.mustUp([], "--refresh");
    expect(writes()).toEqual([`DELETE /v2/tenants/${id}`]);
  });

  it("reaches into a fleet's tenants", async () => {
    const inside = fleet({ inside: { configs } }, { ignoreChanges: ["tenants.inside.configs.region"] });
    await on.mustUp([inside]);
    await platform.change("inside", { configs: { region: "us", batch_size: 5 } });
    await on.mustUp([inside], "--refresh");
    expect(platform.writes().map(({ body }) => body)).toEqual([{ configs: { region: "us", batch_size: 100 } }]);
    await on.mustUp([inside], "--refresh", "--expect-no-changes");
  });
});
