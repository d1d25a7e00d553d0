import { expect, test } from "vitest";
import { openPlatform } from "../engine/harness/live-platform.ts";
import { quickIntegrations } from "../engine/harness/quick-integrations.ts";
import { existingTenants, keys, rolloutsOn, storedRollout } from "../engine/harness/rollout-story.ts";
import { createInProcessProject } from "./create-in-process-project.ts";

const stackYaml = (provider: string) => `config:
  integration-platform:provider: ${provider}
  integration-platform:fleets:
    billing:
      integration: crm-to-billing
      adopt: true
      defaults: { release: { tag: v1.1.0 } }
      tenants: { ${keys.map((key) => `${key}: {}`).join(", ")} }
      rollout:
        waves: [{ name: canary, tenants: [t3] }, { percent: 50 }, { percent: 100 }]
        maxUnavailable: "100%"
`;

test("a stack moves to the native provider and back in the middle of a rollout, which goes on where it was", async () => {
  await using platform = await openPlatform({ seed: { integrations: quickIntegrations(), tenants: existingTenants } });
  await using project = await createInProcessProject({
    stackYaml: stackYaml("dynamic"),
    env: platform.env,
    provider: "dynamic",
  });
  const story = rolloutsOn(platform, project);
  await story.mustUp();
  expect(await story.moved()).toEqual(["t3"]);
  const { fleet, rollout } = await storedRollout(project);
  expect(rollout.type).toBe("pulumi-nodejs:dynamic/integration-platform:FleetRollout");

  await project.writeStackYaml(stackYaml("native"));
  await story.mustUp();
  const half = await story.moved();
  expect(half).toHaveLength(4);
  expect(half).not.toContain("t3");
  expect(await story.synced()).toEqual(half);
  const native = await storedRollout(project);
  expect(native.rollout.type).toBe("integration-platform:index:FleetRollout");
  expect(native.rollout.outputs).toMatchObject({ phase: "progressing", moved: 5 });
  expect(native.fleet.outputs.rolloutPlan).toEqual(fleet.outputs.rolloutPlan);

  await project.writeStackYaml(stackYaml("dynamic"));
  await story.mustUp();
  expect(await story.moved()).toEqual(keys.filter((key) => key !== "t3" && !half.includes(key)));
  expect((await storedRollout(project)).rollout.outputs).toMatchObject({ phase: "done", moved: 10 });
  platform.clearRequests();
  await story.mustUp();
  expect(platform.writes()).toEqual([]);
  await story.expectNoChanges();
});
