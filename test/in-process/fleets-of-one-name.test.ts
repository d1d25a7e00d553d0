import { expect, test } from "vitest";
import { z } from "zod";
import { openPlatform } from "../engine/harness/live-platform.ts";
import { quickIntegrations } from "../engine/harness/quick-integrations.ts";
import { existingTenants, rolloutsOn } from "../engine/harness/rollout-story.ts";
import { createInProcessProject } from "./create-in-process-project.ts";
import { rolloutStatus } from "./rollout-status.ts";

const program = `
import { FleetRollout, TenantFleet } from "pulumi-integration-platform";
import * as pulumi from "@pulumi/pulumi";

function rolledOut(name: string, keys: string[], { parent, ...more }: { name?: string; parent?: pulumi.Resource }) {
  const rollout = { release: { tag: new pulumi.Config("shop").require("release") } };
  const tenants = Object.fromEntries(keys.map((key) => [key, {}]));
  const fleet = new TenantFleet(name, { integration: 101, adopt: true, tenants, rollout, ...more }, { parent });
  const [first = ""] = keys;
  const waves = [{ name: "canary", tenants: [first] }, { percent: 100 }];
  new FleetRollout(name, { fleet, waves, maxUnavailable: "100%" }, { parent });
}

class Europe extends pulumi.ComponentResource {}
class America extends pulumi.ComponentResource {}

rolledOut("billing", ["t0", "t1", "t2"], { parent: new Europe("shop:index:Europe", "shop") });
rolledOut("billing", ["t5", "t6"], { parent: new America("shop:index:America", "shop") });
rolledOut("others", ["t8"], { name: "billing" });
`;

const rolloutSchema = z.object({ waves: z.array(z.object({ tenants: z.int() })) });

const stackYaml = (release: string) => `config: { "shop:release": ${release} }\n`;

test("fleets of one name have a rollout each", async () => {
  await using platform = await openPlatform({ seed: { integrations: quickIntegrations(), tenants: existingTenants } });
  await using project = await createInProcessProject({
    program,
    stackYaml: stackYaml("v1.0.0"),
    env: platform.env,
  });
  const story = rolloutsOn(platform, project);

  await story.mustUp();
  await story.mustUp();
  expect(await story.on("v1.1.0")).toEqual([]);

  await project.writeStackYaml(stackYaml("v1.1.0"));
  platform.clearRequests();
  const { stdout, stderr } = await project.mustRun(["preview"]);
  expect(stdout + stderr).toMatch(/canary: 1 tenant: t0\n.*100%: 2 tenants/);
  expect(stdout + stderr).toMatch(/canary: 1 tenant: t5\n.*100%: 1 tenant: t6/);
  expect(stdout + stderr).toMatch(/canary: 1 tenant: t8\n.*100%: no tenants/);
  expect(platform.writes()).toEqual([]);

  await story.mustUp();
  expect([await story.moved(), await story.synced()]).toEqual([
    ["t0", "t5", "t8"],
    ["t0", "t5", "t8"],
  ]);
  const status = await rolloutStatus(project, "--json");
  const { rollouts } = z.object({ rollouts: z.array(rolloutSchema) }).parse(JSON.parse(status.stdout));
  expect(rollouts.map(({ waves }) => waves.map(({ tenants }) => tenants)).sort()).toEqual([
    [1, 0],
    [1, 1],
    [1, 2],
  ]);
  await story.mustUp();
  expect(await story.moved()).toEqual(["t1", "t2", "t6"]);
  expect(await story.on("v1.1.0")).toEqual(["t0", "t1", "t2", "t5", "t6", "t8"]);
  const { resources } = await project.exportState();
  const outcomes = resources.filter(({ type }) => type.endsWith(":FleetRollout")).map(({ outputs }) => outputs);
  expect(outcomes.map(({ phase, moved, tenants }) => [phase, moved, tenants]).sort()).toEqual([
    ["done", 1, 1],
    ["done", 2, 2],
    ["done", 3, 3],
  ]);

  platform.clearRequests();
  await story.expectNoChanges();
  await project.mustRun(["up", "--yes", "--skip-preview", "--expect-no-changes"]);
  await project.mustRun(["refresh", "--yes", "--skip-preview", "--expect-no-changes"]);
  expect(platform.writes()).toEqual([]);
});
