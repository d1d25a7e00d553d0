import { beforeAll, describe, expect, test } from "vitest";
import { endAfterTests } from "../end-after-tests.ts";
import { changedPaths } from "./harness/changed-paths.ts";
import { createDeclaredProject, type DeclaredProject } from "./harness/declared-project.ts";
import { configs, fleet, tenant } from "./harness/declared-tenants.ts";
import { type LivePlatform, openPlatform } from "./harness/live-platform.ts";
import { quickIntegrations } from "./harness/quick-integrations.ts";

let platform: LivePlatform;
let on: DeclaredProject;

beforeAll(() =>
  endAfterTests(async (open) => {
    platform = open.use(await openPlatform({ seed: { integrations: quickIntegrations() } }));
    on = open.use(await createDeclaredProject(platform));
  }),
);

const writes = () => platform.writes().map(({ request }) => request);
describe("ignoreChanges", () => {
  test("keeps drift of ignored properties and repairs the rest", async () => {
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

  test("accepts any value that the platform has there, even one that cannot be declared", async () => {
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

  test("applies to paths inside a fleet's tenants", async () => {
    const inside = fleet({ inside: { configs } }, { ignoreChanges: ["tenants.inside.configs.region"] });
    await on.mustUp([inside]);
    await platform.change("inside", { configs: { region: "us", batch_size: 5 } });
    await on.mustUp([inside], "--refresh");
    expect(platform.writes().map(({ body }) => body)).toEqual([{ configs: { region: "us", batch_size: 100 } }]);
    await on.mustUp([inside], "--refresh", "--expect-no-changes");
  });
});
