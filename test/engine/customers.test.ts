import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { createProject } from "./harness/create-project.ts";
import { openPlatform } from "./harness/live-platform.ts";

test("customers in files of several teams: up applies their files, groups and defaults, and a group changes all of its tenants", async () => {
  const stackYaml = await readFile(join(import.meta.dirname, "../../examples/customers/Pulumi.dev.yaml"), "utf8");
  await using platform = await openPlatform();
  await using project = await createProject({ example: "customers", stack: "dev", env: platform.env, stackYaml });
  const configs = async () =>
    Object.fromEntries((await platform.tenants()).map((tenant) => [tenant.name, tenant.configs]));
  const batchSizes = async () =>
    Object.entries(await configs()).map(([name, { batch_size }]) => `${name}: ${String(batch_size)}`);

  await project.mustRun(["up", "--yes", "--skip-preview"]);
  expect(await configs()).toEqual({
    acme: { region: "eu", batch_size: 1000, mapping: { customer_id: "account_number" } },
    bluebird: { region: "us", batch_size: 1000 },
    cedar: { region: "eu", batch_size: 200, endpoint: "https://cedar.example/api", currency: "EUR" },
    dune: { batch_size: 200 },
  });
  expect(await platform.metadata("acme")).toEqual({ plan: "gold", seats: 40 });
  expect(await platform.metadata("cedar")).toEqual({ plan: "silver", seats: 12 });
  expect(await platform.tenant("cedar")).toMatchObject({ user_schedule: "0 4 * * *", integration_release_id: 902 });
  expect(await platform.tenant("dune")).toMatchObject({ user_schedule: "0 */6 * * *", integration_release_id: 901 });

  platform.clearRequests();
  await project.writeStackYaml(stackYaml.replace("batch_size: 1000", "batch_size: 900"));
  await project.mustRun(["up", "--yes", "--skip-preview"]);
  expect(await batchSizes()).toEqual(["acme: 900", "bluebird: 900", "cedar: 200", "dune: 200"]);
  expect(platform.writes()).toHaveLength(2);

  await project.put("customers/acme.yaml", "groups: [gold, eu]\nrelease: { tag: v1.1.0 }\n");
  platform.clearRequests();
  const refused = await project.up();
  expect(refused.code).not.toBe(0);
  expect(refused.stdout + refused.stderr).toContain(
    "customers/acme.yaml:2:1: fleets.billing.tenants.acme.release: cannot be declared in customers",
  );
  expect(platform.writes()).toEqual([]);
});
