import { expect, test } from "vitest";
import { createProject } from "./harness/create-project.ts";
import { openPlatform } from "./harness/live-platform.ts";
import { quickIntegrations } from "./harness/quick-integrations.ts";

test("onboards a tenant: up creates it, its customer connects it, the next up syncs it once, and the one after that sets its choice", async () => {
  await using platform = await openPlatform({ seed: { integrations: quickIntegrations() } });
  await using project = await createProject({
    example: "onboarding",
    env: platform.env,
    stackYaml: "config:\n  onboarding:customer: acme\n",
  });
  const runs = { takes_seconds: 0, dynamic_configs: { billing_plans: ["basic", "business"] } };
  await platform.call("PATCH", "/_emulator/integrations/101", { runs });
  const isOnboarded = async () => (await project.mustRun(["stack", "output", "isOnboarded"])).stdout.trim();
  const syncs = () => platform.writes().filter(({ request }) => request.endsWith("/sync"));

  await project.mustRun(["up", "--yes", "--skip-preview"]);
  expect(await platform.metadata("acme")).toEqual({ plan: "basic" });
  expect(await isOnboarded()).toBe("false");
  expect(syncs()).toEqual([]);
  expect((await platform.tenant("acme")).configs).toEqual({ region: "eu" });

  for (const connector of ["crm", "billing"]) await platform.connect("acme", connector);
  await project.mustRun(["up", "--yes", "--skip-preview"]);
  expect(await isOnboarded()).toBe("true");
  expect(syncs()).toHaveLength(1);

  await project.mustRun(["up", "--yes", "--skip-preview"]);
  expect((await platform.tenant("acme")).configs).toEqual({ region: "eu", billing_plan: "basic" });
  await project.mustRun(["up", "--yes", "--expect-no-changes"]);
  expect(syncs()).toHaveLength(1);
});
