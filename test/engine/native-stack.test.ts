import { expect, test } from "vitest";
import { createProject, type Project } from "./harness/create-project.ts";
import { openPlatform } from "./harness/live-platform.ts";
import { quickIntegrations } from "./harness/quick-integrations.ts";

type Provider = "dynamic" | "native";

/** A stack with each kind of resource, with a secret, a default name and another. */
function stackYaml(provider: Provider, region = "eu"): string {
  return `config:
  integration-platform:provider: ${provider}
  integration-platform:builds:
    v9: { integration: crm-to-billing, tag: v9.9.9 }
  integration-platform:tenantDefaults: { integration: crm-to-billing }
  integration-platform:tenants:
    acme: { release: { build: v9 }, paused: false, configs: { region: ${region} }, sync: { mode: init, on: [configs] } }
    bluebird: { name: bluebird-corp, metadata: { plan: gold } }
  integration-platform:fleets:
    billing:
      integration: crm-to-billing
      tenants: { cedar: { configs: { region: ${region} } }, dune: { name: dune-corp } }
`;
}

const prefixes = { dynamic: "pulumi-nodejs:dynamic/integration-platform", native: "integration-platform:index" };

test("a stack moves to the native provider and back, and nothing changes on the platform", async () => {
  await using platform = await openPlatform({ seed: { integrations: quickIntegrations() } });
  await using project = await createProject({
    stackYaml: stackYaml("dynamic"),
    env: platform.env,
    provider: "dynamic",
  });
  const token = "integration-platform:tenants.acme.configs.api_token";
  await project.mustRun(["config", "set", "--secret", "--path", token, "s3cret"]);
  await project.mustRun(["up", "--yes", "--skip-preview"]);
  const before = await platform.tenants();
  expect(before.map(({ name }) => name).toSorted()).toEqual(["acme", "bluebird-corp", "cedar", "dune-corp"]);
  platform.clearRequests();

  await project.mustRun(["config", "set", "integration-platform:provider", "native"]);
  await project.mustRun(["up", "--yes", "--skip-preview", "--expect-no-changes"]);
  await expectResourcesOf("native", project);
  await project.mustRun(["refresh", "--yes", "--skip-preview", "--expect-no-changes"]);

  await project.mustRun(["config", "set", "integration-platform:provider", "dynamic"]);
  await project.mustRun(["up", "--yes", "--skip-preview", "--expect-no-changes"]);
  await expectResourcesOf("dynamic", project);
  await project.mustRun(["refresh", "--yes", "--skip-preview", "--expect-no-changes"]);

  expect(platform.writes()).toEqual([]);
  expect(await platform.tenants()).toEqual(before);
  await project.mustRun(["destroy", "--yes", "--skip-preview"]);
  expect(await platform.tenants()).toEqual([]);
});

test("a stack that began on the native provider moves to the dynamic one with updates of its state alone", async () => {
  await using platform = await openPlatform({ seed: { integrations: quickIntegrations() } });
  await using project = await createProject({ stackYaml: stackYaml("native"), env: platform.env, provider: "native" });
  const token = "integration-platform:tenants.acme.configs.api_token";
  await project.mustRun(["config", "set", "--secret", "--path", token, "s3cret"]);
  await project.mustRun(["up", "--yes", "--skip-preview"]);
  const before = await platform.tenants();
  platform.clearRequests();

  // The host of dynamic providers finds a resource's code in its state.
  await project.mustRun(["config", "set", "integration-platform:provider", "dynamic"]);
  expect(await changes(project)).toEqual(["update", "update", "update", "update", "update"]);
  await project.mustRun(["up", "--yes", "--skip-preview"]);
  await expectResourcesOf("dynamic", project);
  await project.mustRun(["refresh", "--yes", "--skip-preview", "--expect-no-changes"]);
  expect(await changes(project)).toEqual([]);

  expect(platform.writes()).toEqual([]);
  expect(await platform.tenants()).toEqual(before);
  await project.mustRun(["destroy", "--yes", "--skip-preview"]);
  expect(await platform.tenants()).toEqual([]);
});

/** What a preview would do with the resources, without those that it would leave alone. */
async function changes(project: Project): Promise<string[]> {
  const { steps } = await project.preview();
  return steps.map(({ op }) => op).filter((op) => op !== "same" && op !== "refresh");
}

async function expectResourcesOf(provider: Provider, project: Project): Promise<void> {
  const { resources, text } = await project.exportState();
  const types = resources.map(({ type }) => type).filter((type) => !type.startsWith("pulumi:"));
  expect(types.toSorted()).toEqual(
    ["Build", "SyncTrigger", "Tenant", "Tenant", "TenantFleet"].map((type) => `${prefixes[provider]}:${type}`),
  );
  expect(text).not.toContain("s3cret");
}
