import { beforeAll, expect, test } from "vitest";
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

test("ignoreChanges keeps drift of ignored properties, also inside a fleet, and repairs the rest", async () => {
  const ignoreChanges = ["configs.region", "paused"];
  const ignored = (more: object = {}) => tenant("ignored", { ignoreChanges }, { paused: false, ...more });
  const inside = fleet({ inside: { configs } }, { ignoreChanges: ["tenants.inside.configs.region"] });
  const settings = { schedule: "0 1 * * *", release: { tag: "v1.0.0" }, metadata: { plan: "gold" }, paused: false };
  const odd = tenant("odd", { ignoreChanges: ["schedule", "release", "configs", "metadata", "paused"] }, settings);
  await on.mustUp([ignored(), inside, odd]);
  const { id } = await platform.tenant("odd");
  // any value that the platform has there is accepted, even one that cannot be declared
  const changeOdd = (change: object) => platform.call("PATCH", `/_emulator/tenants/${id}`, change);

  await platform.change("ignored", { paused: true, configs: { region: "us", batch_size: 5 } });
  await platform.change("inside", { configs: { region: "us", batch_size: 5 } });
  await changeOdd({ user_schedule: "", integration_release_id: null, metadata: { plan: null } });
  const { ignored: changed, ...others } = changedPaths(await on.project.preview(["--refresh"]));
  expect(changed).toEqual({ "configs.batch_size": "update" });
  expect(others).not.toHaveProperty("odd");
  await on.mustUp([ignored(), inside, odd], "--refresh");
  const repaired = { configs: { region: "us", batch_size: 100 } };
  expect(platform.writes().map(({ body }) => body)).toEqual([repaired, repaired]);
  expect(await platform.tenant("ignored")).toMatchObject({ paused: true, configs: { region: "us" } });

  const declared = [ignored({ configs: { region: "uk", batch_size: 100 } }), inside, odd];
  await on.mustUp(declared, "--refresh", "--expect-no-changes");
  await platform.change("ignored", { configs: { batch_size: 100 } });
  const more = { integration_release_channel: "Latest", configs: null, paused: null };
  await changeOdd({ user_schedule: "@daily", ...more });
  await on.mustUp([ignored(), inside, odd], "--refresh", "--expect-no-changes");
  expect(writes()).toEqual([]);
  await on.mustUp([ignored(), inside], "--refresh");
  expect(writes()).toEqual([`DELETE /v2/tenants/${id}`]);
});
