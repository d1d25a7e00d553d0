import { expect, test } from "vitest";
import { createManualClock } from "../../src/emulator/index.ts";
import { runCli } from "../cli/run-cli.ts";
import { createProject } from "./harness/create-project.ts";
import { openPlatform } from "./harness/live-platform.ts";

// The platform's clock starts at the present, and only `advance` moves it.
const start = Date.now();
const inSeconds = (seconds: number) => new Date(start + seconds * 1000).toISOString();

// test/in-process/overrides.test.ts has the stories that need no command of this package.

const stackYaml = (overrides = "[]", ofFleet = "[]") => `config:
  integration-platform:overrides: ${overrides}
  integration-platform:tenants: { acme: { integration: crm-to-billing, paused: false } }
  integration-platform:fleets:
    billing: { integration: crm-to-billing, overrides: ${ofFleet}, tenants: { dune: { paused: false } } }
`;

test("drift shows that a tenant is paused as soon as its override has ended, by the platform's clock", async () => {
  await using platform = await openPlatform({ clock: createManualClock(new Date(start).toISOString()) });
  await using project = await createProject({ stackYaml: stackYaml(), env: platform.env });
  await project.mustRun(["up", "--yes", "--skip-preview"]);
  await platform.emulator.advance({ seconds: 13 * 3600 });
  for (const name of ["acme", "dune"]) await platform.change(name, { paused: true });
  await project.writeStackYaml(
    stackYaml(
      `[{ paused: true, reason: INC-45, tenants: [acme], until: ${inSeconds(12 * 3600)} }]`,
      `{ paused: true, reason: INC-46, tenants: [dune], until: ${inSeconds(14 * 3600)} }`,
    ),
  );
  const env = { ...project.env, ...platform.env };
  const { code, stdout } = await runCli(undefined, ["drift", "--json", "-"], env, project.directory);
  expect(code).toBe(2);
  expect(JSON.parse(stdout).differences.map(differingField)).toEqual(["acme paused", "acme override", "dune override"]);
});

function differingField({ tenant, field }: Record<string, unknown>): string {
  return `${tenant} ${field}`;
}
