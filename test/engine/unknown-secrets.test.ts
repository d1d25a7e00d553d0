import { expect, test } from "vitest";
import { changedPaths } from "./harness/changed-paths.ts";
import { createProject } from "./harness/create-project.ts";
import { openPlatform } from "./harness/live-platform.ts";

/** Each tenant gets configs by an output that a preview doesn't know once `later` names a tenant that is yet to be created. */
const program = (later: string) => `
  import * as pulumi from "@pulumi/pulumi";
  import { SyncTrigger, Tenant, TenantFleet, TenantMetadata } from "pulumi-integration-platform";
  const integration = "crm-to-billing";
  const token = pulumi.secret("token-that-nobody-may-find");
  const { tenantId } = new Tenant("${later}", { integration });
  const inside = tenantId.apply((id) => ({ batch_size: id % 2 + 1, token }));
  const beside = { batch_size: tenantId.apply((id) => id % 2 + 1), token };
  const none = { batch_size: tenantId.apply((id) => id % 2 + 1) };
  const target = new Tenant("inside", { integration, configs: inside });
  new Tenant("beside", { integration, configs: beside });
  new Tenant("none", { integration, configs: none });
  new TenantMetadata("data", { tenantId: target.tenantId, data: beside });
  new SyncTrigger("sync", { tenantId: target.tenantId, mode: "normal", payload: inside, wait: false });
  new TenantFleet("all", {
    integration,
    tenants: {
      "in-inside": { configs: inside },
      "in-beside": { configs: beside },
      "in-none": { configs: none },
      later: tenantId.apply(() => ({ configs: { token } })),
    },
    sync: { mode: "normal", payload: none, wait: false },
  });`;

test("plans no change of secrets for values that a preview does not know, and applies the plan", async () => {
  await using platform = await openPlatform();
  await using project = await createProject({
    program: program("first"),
    stackYaml: "config: {}\n",
    env: { ...platform.env, PULUMI_EXPERIMENTAL: "1" },
  });
  const plan = async () => {
    await project.mustRun(["preview", "--save-plan", "plan.json"]);
    await project.mustRun(["up", "--yes", "--skip-preview", "--plan", "plan.json"]);
  };
  await plan();

  await project.put("program.ts", program("second"));
  const changes = Object.values(changedPaths(await project.preview())).flatMap(Object.entries);
  expect(changes.some(([path]) => path.includes("configs"))).toBe(true);
  expect(changes.filter(([path, kind]) => path.includes("secretPaths") && kind === "delete")).toEqual([]);
  await plan();
  expect((await project.exportState()).text).not.toContain("token-that-nobody-may-find");
});
