import { afterEach, expect, test, vi } from "vitest";
import { endProcesses, processMark } from "../../bench/processes.ts";
import { findEngine } from "../../engine/find-engine.ts";
import { startCommand } from "../chaos/engine-command.ts";
import { keys, openRolloutStory, storedRollout } from "./harness/rollout-story.ts";
import { unlock } from "./harness/unlock.ts";

const mark = processMark();
afterEach(() => endProcesses(mark));

test("after kill -9 of the engine and the provider in the middle of a wave, one up ends it, with the same tenants", async () => {
  await using story = await openRolloutStory();
  const { platform, project } = story;
  await story.declare("v1.1.0", 'waves: [{ percent: 50 }, { percent: 100 }], maxUnavailable: "100%"');
  const onMove = { method: "PATCH", path: "^/v2/tenants/\\d+$" };
  platform.emulator.fault({ kind: "delay", ms: 1000, times: 1000, match: onMove });
  platform.clearRequests();
  const args = ["up", "--yes", "--skip-preview"];
  const running = startCommand((await findEngine()).command, args, { project, env: {}, mark });
  await vi.waitFor(async () => expect((await story.moved()).length).toBeGreaterThan(0), {
    timeout: 120_000,
    interval: 10,
  });
  running.signal("all", "SIGKILL");
  expect((await running.ended).code).toBeNull();
  const moved = await story.moved();
  expect(moved.length).toBeLessThanOrEqual(5);
  platform.emulator.clearFaults();
  await unlock(project);

  // what each tenant ran before was in the state ahead of the first write
  const { resources } = await project.exportState();
  const plan = Object(resources.find(({ type }) => type.endsWith(":TenantFleet"))?.outputs.rolloutPlan);
  expect(plan).toMatchObject({ release: 902, before: { most: "901", others: {} } });
  expect(resources.filter(({ type }) => type.endsWith(":FleetRollout"))).toEqual([]);
  const ranked = String(plan.members).split(" ");
  const first = ranked.slice(0, 5).map((member) => member.split("=")[0] ?? "");
  expect(moved.every((name) => first.includes(name))).toBe(true);

  await story.mustUp();
  expect(await story.on("v1.1.0")).toEqual(first.sort());
  expect(Object((await storedRollout(project)).fleet.outputs.rolloutPlan).members).toBe(plan.members);
  await story.mustUp();
  expect(await story.on("v1.1.0")).toEqual([...keys]);
  await story.expectNoChanges();
});
