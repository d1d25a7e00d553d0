import { expect, test } from "vitest";
import { openPlatform } from "../engine/harness/live-platform.ts";
import { tokenOf } from "../engine/harness/provider-under-test.ts";
import { quickIntegrations } from "../engine/harness/quick-integrations.ts";
import {
  existingTenants,
  keys,
  openRolloutStoryOn,
  rolloutsOn,
  storedRollout,
} from "../engine/harness/rollout-story.ts";
import { createInProcessProject } from "./create-in-process-project.ts";

const waves = (approval: string) =>
  `waves: [{ name: canary, tenants: [t3] }, { name: early, tenants: [t1, t2]${approval} }, { percent: 50 }, { percent: 100 }]`;

test("a changed release goes from wave to wave, an up each, and waits for a person where it has to", async () => {
  await using story = await openRolloutStoryOn(createInProcessProject);
  const { platform, project } = story;
  const strategy = `${waves(", approval: required")}, maxUnavailable: "100%"`;
  await story.declare("v1.1.0", strategy);

  platform.clearRequests();
  const preview = await project.mustRun(["preview"]);
  expect(preview.stdout + preview.stderr).toMatch(/canary: 1 tenant: t3\n.*early: 2 tenants: t1, t2.*approvals/);
  expect(platform.writes()).toEqual([]);

  await story.mustUp();
  expect([await story.moved(), await story.synced(), await story.on("v1.1.0")]).toEqual([["t3"], ["t3"], ["t3"]]);
  const { rollout, fleet } = await storedRollout(project);
  expect(rollout.outputs).toMatchObject({ phase: expect.any(String), release: 902, moved: 1, tenants: 10 });

  platform.clearRequests();
  await project.mustRun(["refresh", "--yes", "--skip-preview"]);
  expect(platform.writes()).toEqual([]);
  const refreshed = await storedRollout(project);
  expect(refreshed.rollout.outputs).toEqual(rollout.outputs);
  expect(refreshed.fleet.outputs.rolloutPlan).toEqual(fleet.outputs.rolloutPlan);

  // the second wave waits for its approval
  expect(await story.mustUp()).toMatch(/approvals\.v1\.1\.0\.early/);
  expect(platform.writes()).toEqual([]);
  await story.expectNoChanges();
  expect((await storedRollout(project)).rollout.outputs).toMatchObject({ phase: "waiting" });

  const approved = `${strategy}, approvals: { v1.1.0: { early: CHG-123 } }`;
  await story.declare("v1.1.0", `${approved}, paused: true`);
  await story.mustUp();
  expect(platform.writes()).toEqual([]);
  await story.expectNoChanges();

  await story.declare("v1.1.0", approved);
  await story.mustUp();
  expect([await story.moved(), await story.synced()]).toEqual([
    ["t1", "t2"],
    ["t1", "t2"],
  ]);
  await story.mustUp();
  const half = await story.moved();
  expect(half).toHaveLength(2);
  expect(await story.synced()).toEqual(half);
  expect(await story.on("v1.1.0")).toEqual(["t1", "t2", "t3", ...half].sort());
  await story.mustUp();
  expect(await story.moved()).toEqual(keys.filter((key) => !["t1", "t2", "t3", ...half].includes(key)));
  expect(await story.on("v1.1.0")).toEqual([...keys]);

  platform.clearRequests();
  await story.expectNoChanges();
  await project.mustRun(["up", "--yes", "--skip-preview", "--expect-no-changes"]);
  expect(platform.writes()).toEqual([]);
  const { stdout } = await project.mustRun(["stack", "output", "--json"]);
  expect(JSON.parse(stdout)).toMatchObject({ rollouts: { billing: { phase: "done" } } });

  await project.mustRun(["destroy", "--yes", "--skip-preview"]);
  expect(platform.writes()).toEqual([]);
  expect(await story.on("v1.1.0")).toEqual([...keys]);
});

test("a failed canary stops the rollout, and the line changed back takes it back exactly", async () => {
  await using story = await openRolloutStoryOn(createInProcessProject);
  const { platform } = story;
  await platform.change("t3", { integration_release_channel: "Latest" });
  const before = await story.releases();
  const strategy = "waves: [{ name: canary, tenants: [t3, t4] }, { percent: 100 }], maxUnavailable: 2";
  await story.declare("v1.1.0", strategy);
  await story.letFail("v1.1.0", "t4");

  const { code, printed } = await story.up();
  expect(code).not.toBe(0);
  expect(await story.moved()).toEqual(["t3", "t4"]);
  const { id } = await platform.tenant("t4");
  const { rollout } = await storedRollout(story.project);
  expect(rollout.outputs).toMatchObject({ phase: "failed" });
  expect(printed).toMatch(/wave canary: 1 tenant failed/);
  expect(printed).toMatch(/t4\b.*Failed \(Integration Issue\)/);
  expect(printed).toMatch(/set the release to the one before.*raise attempt/s);
  expect(platform.writes()).toContainEqual(expect.objectContaining({ request: `POST /v2/tenants/${id}/sync` }));

  // even if it would succeed now, it is not tried again
  await story.letFail("v1.1.0");
  expect(await story.mustUp()).toMatch(/warning.*failed/s);
  expect(platform.writes()).toEqual([]);
  await story.expectNoChanges();

  await story.declare("v1.0.0", strategy);
  await story.mustUp();
  expect([await story.moved(), await story.synced()]).toEqual([["t3", "t4"], []]);
  expect(await story.releases()).toEqual(before);
  platform.clearRequests();
  await story.expectNoChanges();
  await story.mustUp();
  expect(platform.writes()).toEqual([]);
});

test("with onFailure: rollback, the up after the failed one takes all tenants back", async () => {
  await using story = await openRolloutStoryOn(createInProcessProject);
  const before = await story.releases();
  await story.declare("v1.1.0", "waves: [{ name: canary, tenants: [t3] }, { percent: 100 }], onFailure: rollback");
  await story.letFail("v1.1.0", "t3");
  expect((await story.up()).code).not.toBe(0);
  expect(await story.on("v1.1.0")).toEqual(["t3"]);

  await story.mustUp();
  expect([await story.moved(), await story.synced()]).toEqual([["t3"], []]);
  expect(await story.releases()).toEqual(before);
  const { rollout } = await storedRollout(story.project);
  expect(rollout.outputs).toMatchObject({ history: [{ outcome: "rolled back" }, { outcome: "failed" }] });

  expect(await story.mustUp()).toMatch(/warning.*failed/s);
  expect(story.platform.writes()).toEqual([]);
  await story.expectNoChanges();
});

test("a fleet that fails in part holds the rollout up, and an up of the rollout alone carries it on", async () => {
  await using story = await openRolloutStoryOn(createInProcessProject);
  const { platform, project } = story;
  const onPost = { method: "POST", path: "^/v2/tenants$" };
  platform.emulator.fault({ kind: "status", status: 422, body: { detail: [] }, times: 1000, match: onPost });
  const strategy = 'waves: [{ name: canary, tenants: [t3] }, { percent: 100 }], maxUnavailable: "100%"';
  await story.declare("v1.1.0", strategy, "refused: {}");

  const { code, printed } = await story.up();
  expect(code).not.toBe(0);
  expect(printed).toMatch(/refused: POST \/v2\/tenants/);
  expect(await story.moved()).toEqual([]);

  const alone = ["--target", `urn:pulumi:test::integration-platform::${tokenOf("FleetRollout")}::billing`];
  await story.mustUp(...alone);
  expect([await story.moved(), await story.synced()]).toEqual([["t3"], ["t3"]]);
  expect((await story.up()).code).not.toBe(0);
  expect(await story.moved()).toEqual([]);
  await story.mustUp(...alone);
  expect(await story.moved()).toEqual(keys.filter((key) => key !== "t3"));
  expect(platform.writes().filter(({ request }) => request === "POST /v2/tenants")).toEqual([]);
  expect((await storedRollout(project)).rollout.outputs).toMatchObject({ phase: "done" });

  platform.emulator.clearFaults();
  await story.mustUp();
  expect(await story.on("v1.1.0")).toEqual([...keys, "refused"].sort());
  await story.expectNoChanges();
});

const program = `
import { FleetRollout, TenantFleet } from "pulumi-integration-platform";
const tenants = Object.fromEntries(${JSON.stringify(keys)}.map((key) => [key, {}]));
const rollout = { release: { id: 902 }, exclude: ["t9"] };
const fleet = new TenantFleet("fleet", { name: "billing", integration: 101, adopt: true, tenants, rollout });
const moves = new FleetRollout("moves", {
  fleet,
  waves: [{ tenants: ["t3"] }, { percent: 100 }],
  maxUnavailable: "100%",
});
export const { phase, status, release, moved } = moves;
`;

test("a program declares a fleet of existing tenants and its rollout", async () => {
  await using platform = await openPlatform({ seed: { integrations: quickIntegrations(), tenants: existingTenants } });
  await using project = await createInProcessProject({ program, stackYaml: "config: {}\n", env: platform.env });
  const story = rolloutsOn(platform, project);

  await story.mustUp();
  expect([await story.moved(), await story.synced()]).toEqual([["t3"], ["t3"]]);
  await story.mustUp();
  expect(await story.on("v1.1.0")).toEqual(keys.filter((key) => key !== "t9"));
  expect(await story.on("v1.0.0")).toEqual(["t9"]);
  const { stdout } = await project.mustRun(["stack", "output", "--json"]);
  expect(JSON.parse(stdout)).toMatchObject({ phase: "done", release: 902, moved: 9 });
  platform.clearRequests();
  await story.expectNoChanges();
  expect(platform.writes()).toEqual([]);
});
