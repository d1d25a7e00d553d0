import { copyFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { runCli } from "../cli/run-cli.ts";
import { createProject } from "./harness/create-project.ts";
import { openPlatform } from "./harness/live-platform.ts";
import { startBucket } from "./harness/start-bucket.ts";
import { startPostgres } from "./harness/start-postgres.ts";

const stackYaml = `config:
  integration-platform:tenantDefaults: { integration: crm-to-billing }
  integration-platform:tenants:
    acme: { configs: { region: eu }, metadata: { plan: gold } }
    bluebird: { paused: false }
`;

/** Runs the commands of two machines of a team that share a stack's state. */
async function runOnSharedState(backend: NodeJS.ProcessEnv): Promise<void> {
  await using platform = await openPlatform();
  const env = { ...platform.env, ...backend };
  await using project = await createProject({ stackYaml, env });
  await project.mustRun(["up", "--yes", "--skip-preview"]);
  const { resources } = await project.exportState();
  expect(resources.filter(({ type }) => type.endsWith(":Tenant"))).toHaveLength(2);

  // the other clone shares only the stack's file
  await using other = await createProject({ stackYaml, env, stack: "other" });
  await platform.change("bluebird", { paused: true });
  await copyFile(project.stackFile, join(other.directory, "Pulumi.test.yaml"));
  await other.mustRun(["up", "--yes", "--skip-preview", "--stack", "test"]);
  expect(await platform.tenant("bluebird")).toMatchObject({ paused: false });

  await platform.change("acme", { configs: { region: "us" } });
  const drift = await runCli(undefined, ["drift"], project.env, project.directory);
  expect(drift).toMatchObject({ code: 2, stdout: expect.stringMatching(/configs\.region +"eu" +"us"/) });

  await project.mustRun(["destroy", "--yes", "--skip-preview"]);
  expect(await platform.tenants()).toEqual([]);
}

describe("a stack whose state is shared", () => {
  test("on S3", { timeout: 400_000 }, async () => {
    await using bucket = await startBucket();
    await runOnSharedState(bucket.env);
    expect(await bucket.keys(".pulumi/stacks/integration-platform/")).toContain(
      ".pulumi/stacks/integration-platform/test.json",
    );
  });

  test("in Postgres", { timeout: 400_000 }, async () => {
    await using postgres = await startPostgres();
    await runOnSharedState({ PULUMI_BACKEND_URL: postgres.backendUrl });
  });
});
