import { expect, test } from "vitest";
import { createProject } from "./harness/create-project.ts";
import { openPlatform } from "./harness/live-platform.ts";
import { quickIntegrations } from "./harness/quick-integrations.ts";

test("a release train stops at a failed canary, and updates the other tenants once all canaries succeed", async () => {
  const tenants = ["canary", "acme", "bluebird"].map((name) => ({
    integration: "crm-to-billing",
    name,
    user_name: name,
    paused: false,
    status: { auth: { connected: true, connectors: [] } },
    ...(name === "canary" ? { runs: { takes_seconds: 0, outcome: "fail" as const } } : {}),
  }));
  await using platform = await openPlatform({ seed: { integrations: quickIntegrations(), tenants } });
  await using project = await createProject({
    example: "release-train",
    env: platform.env,
    stackYaml: `config:
  release-train:tag: v2.0.0
  release-train:canaries: [canary]
  release-train:rest: [acme, bluebird]
`,
  });
  const releases = async () =>
    Object.fromEntries((await platform.tenants()).map((tenant) => [tenant.name, tenant.integration_release_id]));

  const { code, stdout, stderr } = await project.up();
  expect(code).not.toBe(0);
  expect(stdout + stderr).toMatch(/normal sync of tenant \d+ failed with status "Failed \(Integration Issue\)"/);
  const { canary } = await releases();
  expect(await platform.call("GET", `/v2/integrations/101/releases/${canary}`)).toMatchObject({ tag: "v2.0.0" });
  expect(await releases()).toEqual({ canary, acme: 901, bluebird: 901 });

  const { id } = await platform.tenant("canary");
  await platform.call("PATCH", `/_emulator/tenants/${id}`, { runs: { takes_seconds: 0 } });
  platform.clearRequests();
  await project.mustRun(["up", "--yes", "--skip-preview"]);
  expect(await releases()).toEqual({ canary, acme: canary, bluebird: canary });
  expect(platform.writes().map(({ request }) => request)[0]).toBe(`POST /v2/tenants/${id}/sync`);
  await project.mustRun(["preview", "--expect-no-changes"]);

  const before = await platform.tenants();
  await project.mustRun(["destroy", "--yes", "--skip-preview"]);
  expect(await platform.tenants()).toEqual(before);
});
