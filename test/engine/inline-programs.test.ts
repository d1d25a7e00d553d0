import { rm } from "node:fs/promises";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { LocalWorkspace, PulumiCommand } from "@pulumi/pulumi/automation/index.js";
import { expect, test } from "vitest";
import { engineEnvironment } from "../../engine/engine-environment.ts";
import { findEngine } from "../../engine/find-engine.ts";
import { type LivePlatform, openPlatform } from "./harness/live-platform.ts";
import { makeProjectFolder } from "./harness/project-folder.ts";
import { importPackage } from "./harness/provider-under-test.ts";

const { getIntegration, getTenants, Tenant } = await importPackage();

/** An inline program, which the Automation API runs in its caller's process. */
async function program() {
  const { integrationId } = await getIntegration({ name: "crm-to-billing" });
  const { tenants } = await getTenants({ integration: integrationId });
  const acme = new Tenant("acme", { integration: integrationId, metadata: { seen: tenants.map(({ name }) => name) } });
  return { acmeId: acme.tenantId };
}

test("inline programs of two stacks on two platforms in one process share no state with each other or with earlier runs", async () => {
  await using sandbox = await openPlatform();
  const release = { id: 7, name: "one", config_version: "1" };
  const seed = { integrations: [{ id: 555, name: "crm-to-billing", releases: [release] }] };
  await using production = await openPlatform({ seed });
  await production.call("POST", "/v2/tenants", { name: "customer", integration_id: 555 });
  await using folder = await projectFolder();
  const stacks = [await folder.stack("sandbox", sandbox), await folder.stack("production", production)] as const;

  await Promise.all(stacks.map((stack) => stack.up()));
  const [trial, real] = [await sandbox.tenant("acme"), await production.tenant("acme")];
  expect([trial.integration_id, real.integration_id]).toEqual([101, 555]);
  expect(await sandbox.metadata("acme")).toEqual({ seen: [] });
  expect(await production.metadata("acme")).toEqual({ seen: ["customer"] });

  for (const stack of stacks) {
    await stack.preview();
    await stack.up();
  }
  expect(await sandbox.metadata("acme")).toEqual({ seen: ["acme"] });
  expect(await production.metadata("acme")).toEqual({ seen: ["customer", "acme"] });
  expect((await sandbox.tenants()).map(({ id }) => id)).toEqual([trial.id]);
  expect(await production.tenant("acme")).toMatchObject({ id: real.id });
});

async function projectFolder() {
  const engine = await findEngine();
  const { root, directory } = await makeProjectFolder({ program: "" });
  const inherited = Object.entries(process.env).filter(([name]) => !/^(PULUMI|INTEGRATION_PLATFORM)_/.test(name));
  const envVars: Record<string, string> = {};
  for (const [name, value] of Object.entries(
    engineEnvironment(engine, {
      ...Object.fromEntries(inherited),
      PULUMI_HOME: join(root, ".pulumi-home"),
      PULUMI_BACKEND_URL: pathToFileURL(join(root, ".pulumi-state")).href,
      PULUMI_CONFIG_PASSPHRASE: "test",
    }),
  )) {
    if (value !== undefined) envVars[name] = value;
  }
  const pulumiCommand = await PulumiCommand.get({ root: join(engine.binDirectory, "..") });
  return {
    stack: async (stackName: string, { emulator }: LivePlatform) => {
      const stack = await LocalWorkspace.createStack(
        { stackName, projectName: "throw-away", program },
        { workDir: directory, envVars, pulumiCommand },
      );
      await stack.setConfig("integration-platform:baseUrl", { value: emulator.url });
      await stack.setConfig("integration-platform:apiKey", { value: emulator.apiKey, secret: true });
      return stack;
    },
    [Symbol.asyncDispose]: () => rm(root, { recursive: true, force: true, maxRetries: 3 }),
  };
}
