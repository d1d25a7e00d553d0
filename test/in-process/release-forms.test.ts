import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { stringify } from "yaml";
import { openPlatform } from "../engine/harness/live-platform.ts";
import { createInProcessProject } from "./create-in-process-project.ts";

test("a required dynamic choice waits for an init sync, is warned of, and a violation is what its declaration says", async () => {
  const release = JSON.parse(readFileSync("test/fixtures/releases/wrapped.json", "utf8"));
  const integration = { name: "ledger", connectors: [{ name: "books", isGlobal: false }], default_release_id: 11 };
  const runs = { takes_seconds: 0, dynamic_configs: { accounts: ["main", "reserve"] } }; // what an init sync finds
  await using platform = await openPlatform({
    seed: { integrations: [{ ...integration, runs, releases: [{ ...release, id: 11, tag: "v1" }] }] },
  });
  await using project = await createInProcessProject({ stackYaml: "config: {}\n", env: platform.env });
  const declare = (configs: object, ofFleet: object = {}) =>
    project.writeStackYaml(
      stringify({
        config: {
          "integration-platform:tenants": { acme: { integration: "ledger", configs } },
          "integration-platform:fleets": {
            all: { integration: "ledger", ...ofFleet, tenants: { globex: { configs } } },
          },
        },
      }),
    );
  const names = ["acme", "globex"];
  const configsOf = (name: string) => platform.tenant(name).then(({ configs }) => configs);
  const writes = () => platform.writes().filter(({ request }) => request.includes(" /v2/tenants"));

  await declare({ account: "main", start_at: "14:30" });
  const created = await project.mustRun(["up", "--yes", "--skip-preview"]);
  expect(created.stdout).toMatch(/configs\.account waits, as .*sync --mode init/);
  for (const name of names) expect(await configsOf(name)).toEqual({ log_level: "INFO", start_at: "14:30" });
  const stored = JSON.stringify((await project.exportState()).resources);
  expect(stored.match(/"until":"options"/g)).toHaveLength(2);
  platform.clearRequests();
  await project.mustRun(["up", "--yes", "--skip-preview", "--refresh", "--expect-no-changes"]);
  expect(writes()).toEqual([]);

  for (const name of names) {
    const { id } = await platform.tenant(name);
    await platform.connect(name, "books");
    await platform.call("POST", `/v2/tenants/${id}/sync?mode=init`);
    await expect
      .poll(() => platform.call("GET", `/_emulator/tenants/${id}`), { timeout: 10_000 })
      .toMatchObject({ status: { dynamic_configs: { accounts: ["main", "reserve"] } } });
  }
  platform.clearRequests();
  await project.mustRun(["up", "--yes", "--skip-preview"]);
  expect(writes()).toHaveLength(2);
  for (const name of names) expect(await configsOf(name)).toMatchObject({ account: "main", start_at: "14:30" });
  await project.mustRun(["up", "--yes", "--skip-preview", "--refresh", "--expect-no-changes"]);

  await declare({ account: "mian" });
  const { stdout, stderr } = await project.mustRun(["preview"]);
  for (const name of names) {
    expect(stdout + stderr).toMatch(
      new RegExp(
        `tenant "${name}": configs.account: is not among the tenant's options for accounts: "main", "reserve"`,
      ),
    );
  }

  await declare({ account: "main", region: "mars" }, { schemaViolations: "warn" });
  const refused = await project.run(["up", "--yes", "--skip-preview"]);
  const output = refused.stdout + refused.stderr;
  expect(refused.code).not.toBe(0);
  expect(output).toMatch(
    /tenants\.acme\.configs\.region: must be one of "eu", "us"\. To allow it, set schemaViolations: warn/,
  );
  expect(output).not.toMatch(/globex\.configs\.region/);
});
