import { expect, test } from "vitest";
import { openPlatform } from "../engine/harness/live-platform.ts";
import { quickIntegrations } from "../engine/harness/quick-integrations.ts";
import { existingTenants, keys, rolloutsOn } from "../engine/harness/rollout-story.ts";
import { createInProcessProject } from "./create-in-process-project.ts";
import { rolloutStatus } from "./rollout-status.ts";

const stackYaml = (approvals: string) => `config:
  integration-platform:fleets:
    billing:
      integration: crm-to-billing
      adopt: true
      defaults: { release: { tag: v1.1.0 } }
      tenants: { ${keys.map((key) => `${key}: {}`).join(", ")} }
      rollout:
        waves: [{ name: canary, tenants: [t3], approval: required }, { percent: 100 }]
        ${approvals}
`;

/** The integrations after somebody has moved the tag v1.1.0 from the release 902 to another build, the release 950. */
function withMovedTag() {
  return quickIntegrations().map(({ releases, ...integration }) => ({
    ...integration,
    releases: releases.flatMap(({ tag, ...release }) =>
      tag === "v1.1.0" && release.id === 902 ? [release, { ...release, id: 950, tag }] : [{ ...release, tag }],
    ),
  }));
}

test("an approval does not start the wave of another build to which its tag has moved", async () => {
  await using open = new AsyncDisposableStack();
  const before = open.use(
    await openPlatform({ seed: { integrations: quickIntegrations(), tenants: existingTenants } }),
  );
  const project = open.use(await createInProcessProject({ stackYaml: stackYaml(""), env: before.env }));
  expect(await rolloutsOn(before, project).mustUp()).toMatch(/waiting for approvals\.v1\.1\.0\.canary/);
  expect(before.writes()).toEqual([]);
  const port = Number(new URL(before.emulator.url).port);
  await before.emulator.close();

  const seed = { integrations: withMovedTag(), tenants: existingTenants };
  const after = open.use(await openPlatform({ seed, port }));
  const story = rolloutsOn(after, project);
  await project.writeStackYaml(stackYaml("approvals: { v1.1.0: { canary: CHG-1 } }"));
  const asksAgain =
    "approvals.v1.1.0.canary: CHG-1 approves release 902, and the tag v1.1.0 has moved to release 950 since. Approve that one with " +
    "another reference";
  const { stdout, stderr } = await project.mustRun(["preview"]);
  expect(stdout + stderr).toContain(asksAgain);
  expect(await story.mustUp()).toContain(asksAgain);
  expect(after.writes()).toEqual([]);
  await story.expectNoChanges();
  const status = await rolloutStatus(project);
  expect(status.code).toBe(3);
  expect(status.stdout.replaceAll(/\s+/g, " ")).toContain(`Not approved: wave canary waits for ${asksAgain}`);

  await project.writeStackYaml(stackYaml(""));
  await story.mustUp();
  await project.writeStackYaml(stackYaml("approvals: { v1.1.0: { canary: CHG-1 } }"));
  expect(await story.mustUp()).toContain(asksAgain);
  expect(after.writes()).toEqual([]);

  await project.writeStackYaml(stackYaml("approvals: { v1.1.0: { canary: CHG-2 } }"));
  expect(await story.mustUp()).toContain("canary starts, approved by CHG-2");
  expect(await story.moved()).toEqual(["t3"]);
  expect((await story.releases()).t3).toMatchObject({ id: 950 });
});
