import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { stringify } from "yaml";
import { createProject } from "./harness/create-project.ts";
import { openPlatform } from "./harness/live-platform.ts";

test("dynamic choices of a wrapped release are written, warned of, and a violation is what its declaration says", async () => {
  const release = JSON.parse(readFileSync("test/fixtures/releases/wrapped.json", "utf8"));
  await using platform = await openPlatform({
    seed: { integrations: [{ name: "ledger", default_release_id: 11, releases: [{ ...release, id: 11, tag: "v1" }] }] },
  });
  await using project = await createProject({ stackYaml: "config: {}\n", env: platform.env });
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

  await declare({ account: "main", start_at: "14:30" });
  await project.mustRun(["up", "--yes", "--skip-preview"]);
  const status = { dynamic_configs: { accounts: ["main", "reserve"] } }; // what an init sync finds
  for (const name of ["acme", "globex"]) {
    const { id, configs } = await platform.tenant(name);
    expect(configs).toMatchObject({ account: "main", start_at: "14:30" });
    await platform.call("PATCH", `/_emulator/tenants/${id}`, { status });
  }
  await project.mustRun(["up", "--yes", "--skip-preview", "--expect-no-changes"]);

  await declare({ account: "mian" });
  const { stdout, stderr } = await project.mustRun(["preview"]);
  for (const name of ["acme", "globex"]) {
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
