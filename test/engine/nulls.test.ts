import { expect, test } from "vitest";
import { stringify } from "yaml";
import { createProject } from "./harness/create-project.ts";
import { openPlatform } from "./harness/live-platform.ts";

// `integration-platform export` relies on this
test("sends nulls in configs and metadata at any depth and in lists, and finds no drift in them", async () => {
  const value = { top: null, deep: { a: null, b: { c: null } }, list: [null, 1, [null], { d: null }] };
  const configs = { region: "eu", ...value };
  await using platform = await openPlatform();
  await using project = await createProject({
    stackYaml: stringify({
      config: {
        "integration-platform:tenants": { acme: { integration: "crm-to-billing", configs, metadata: value } },
        "integration-platform:fleets": { all: { integration: "crm-to-billing", tenants: { globex: { configs } } } },
      },
    }),
    env: platform.env,
  });
  await project.mustRun(["up", "--yes", "--skip-preview"]);
  expect((await platform.tenant("acme")).configs).toEqual(configs);
  expect((await platform.tenant("globex")).configs).toEqual(configs);
  expect(await platform.metadata("acme")).toEqual(value);
  await project.mustRun(["up", "--yes", "--skip-preview", "--expect-no-changes"]);
});
