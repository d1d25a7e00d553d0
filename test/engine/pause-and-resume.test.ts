import { readFile } from "node:fs/promises";
import { beforeAll, describe, expect, test } from "vitest";
import { parse } from "yaml";
import { runCli } from "../cli/run-cli.ts";
import { endAfterTests } from "../end-after-tests.ts";
import { createProject, type Project } from "./harness/create-project.ts";
import { type LivePlatform, openPlatform } from "./harness/live-platform.ts";

describe("pause and resume beside a stack, without and with an up between them", () => {
  let platform: LivePlatform;
  let project: Project;
  let text: string;

  const yaml = `config:
  # those who run
  integration-platform:tenants:
    acme: { integration: crm-to-billing, paused: false }
    bluebird: { integration: crm-to-billing } # undeclared
    cedar: { integration: shop-to-erp, paused: false }
  integration-platform:fleets:
    billing:
      integration: crm-to-billing
      limits: { change: 1 }
      tenants: { dune: { paused: false }, elm: {}, fir: { paused: true } }
`;
  const running = async () =>
    (await platform.tenants())
      .filter(({ paused }) => !paused)
      .map(({ name }) => name)
      .sort();
  const command = (...args: string[]) => runCli(platform.emulator, args, {}, project.directory);
  const pauseBilling = ["pause", "--integration", "crm-to-billing", "--reason", "INC-42"];
  const fileNow = () => readFile(project.stackFile, "utf8");

  beforeAll(() =>
    endAfterTests(async (open) => {
      platform = open.use(await openPlatform());
      project = open.use(await createProject({ stackYaml: yaml, env: platform.env }));
      await project.mustRun(["up", "--yes", "--skip-preview"]);
      for (const name of ["bluebird", "elm"]) await platform.change(name, { paused: false });
      await project.mustRun(["refresh", "--yes", "--skip-preview"]);
      text = await fileNow();
    }),
  );

  test("pause stops the integration, and writes an override of those that an up would resume", async () => {
    expect(await command(...pauseBilling)).toMatchObject({ code: 0, stderr: "" });
    expect(await running()).toEqual(["cedar"]);
    expect(parse(await fileNow()).config["integration-platform:overrides"]).toEqual([
      { paused: true, reason: "INC-42", integration: "crm-to-billing", tenants: ["acme", "dune"] },
    ]);
  });

  test("drift shows of the paused tenants only the override that an up would apply", async () => {
    const env = { ...project.env, ...platform.env };
    const { code, stdout } = await runCli(undefined, ["drift", "--json", "-"], env, project.directory);
    expect(code).toBe(2);
    const override = { field: "override", isSecret: false, changedOn: "program" };
    expect(JSON.parse(stdout).differences).toEqual(
      ["acme", "dune"].map((tenant) => expect.objectContaining({ tenant, ...override })),
    );
  });

  test("an up resumes nobody, and another has nothing to do", async () => {
    await project.mustRun(["up", "--yes", "--skip-preview"]);
    expect(await running()).toEqual(["cedar"]);
    await project.mustRun(["up", "--yes", "--skip-preview", "--refresh", "--expect-no-changes"]);
  });

  test("resume brings back exactly what ran, and the file is as it was", async () => {
    expect(await command("resume")).toMatchObject({ code: 0, stderr: "" });
    expect(await running()).toEqual(["acme", "bluebird", "cedar", "dune", "elm"]);
    expect(await fileNow()).toBe(text);
  });

  test("the up after it writes nothing to the platform, and ends the override in the state", async () => {
    platform.clearRequests();
    await project.mustRun(["up", "--yes", "--skip-preview"]);
    expect(platform.writes()).toEqual([]);
    expect((await project.exportState()).text).not.toContain('"overridden"');
    await project.mustRun(["up", "--yes", "--skip-preview", "--refresh", "--expect-no-changes"]);
  });

  test("without an up between them, nothing has changed for the stack", async () => {
    expect(await command(...pauseBilling)).toMatchObject({ code: 0 });
    expect(await command("resume")).toMatchObject({ code: 0 });
    await project.mustRun(["up", "--yes", "--skip-preview", "--refresh", "--expect-no-changes"]);
    expect(await running()).toEqual(["acme", "bluebird", "cedar", "dune", "elm"]);
  });
});

test("of tenants that a program declares, pause names the override to write there, which keeps them paused until it is removed", async () => {
  await using platform = await openPlatform();
  const programWith = (override = "") =>
    `import { Tenant, TenantFleet } from "pulumi-integration-platform";
       new Tenant("acme", { integration: "crm-to-billing", paused: false, ${override} });
       new TenantFleet("billing", { integration: "crm-to-billing", tenants: { dune: { paused: false } }, ${override} });`;
  await using project = await createProject({ program: programWith(), stackYaml: "config: {}\n", env: platform.env });
  const command = (...args: string[]) => runCli(platform.emulator, args, {}, project.directory);
  const upWith = async (program: string) => {
    await project.put("program.ts", program);
    await project.mustRun(["up", "--yes", "--skip-preview"]);
  };
  const paused = async () => (await platform.tenants()).map((tenant) => tenant.paused);
  await project.mustRun(["up", "--yes", "--skip-preview"]);
  expect(await paused()).toEqual([false, false]);
  const stackFile = await readFile(project.stackFile, "utf8");

  const { code, stderr } = await command("pause", "--integration", "crm-to-billing", "--reason", "INC-42");
  expect(code).toBe(1);
  expect(stderr).toContain("error: no override is written for 2 tenants");
  expect(await paused()).toEqual([true, true]);
  expect(await readFile(project.stackFile, "utf8")).toBe(stackFile);

  const [, override] = /`(override: \{.*?\})`/.exec(stderr) ?? [];
  await upWith(programWith(override));
  expect(await paused()).toEqual([true, true]);

  const resumed = await command("resume");
  expect(resumed.code).toBe(1);
  expect(resumed.stderr).toContain("has the override INC-42, remove it there before the next `pulumi up`");
  await upWith(programWith());
  expect(await paused()).toEqual([false, false]);
  await project.mustRun(["up", "--yes", "--skip-preview", "--refresh", "--expect-no-changes"]);
});
