import { expect, test } from "vitest";
import { createProject } from "./harness/create-project.ts";
import { openPlatform } from "./harness/live-platform.ts";

const count = 3000;

test("brings up 3,000 tenants from a file that would be too large for a stack's config", async () => {
  await using platform = await openPlatform();
  await using project = await createProject({
    stackYaml: `config:
  integration-platform:fleets:
    billing: { integration: crm-to-billing, tenantsFrom: tenants.yaml, limits: { archive: 5, change: "20%" } }
`,
    env: platform.env,
  });
  const tenants = Array.from(
    { length: count },
    (_, index) => `tenant-${index}: { configs: { region: eu, customer: "customer-${index}" } }`,
  );
  const text = `${tenants.join("\n")}\n`;
  expect(text.length).toBeGreaterThan(128 * 1024);
  await project.put("tenants.yaml", text);

  await project.mustRun(["up", "--yes", "--skip-preview"]);
  const writes = platform.writes();
  expect(writes).toHaveLength(count);
  expect(new Set(writes.map(({ body }) => Object(body).name)).size).toBe(count);

  platform.clearRequests();
  await project.mustRun(["preview", "--expect-no-changes"]);
  expect(platform.writes()).toEqual([]);
  expect(platform.lists().length).toBeLessThanOrEqual(16); // for the refresh and for the update after it
});
