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
      await project.mustRun(["up", "--yes"]);
      for (const name of ["bluebird", "elm"]) await platform.change(name, { paused: false });
      await project.mustRun(["refresh", "--yes"]);
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

  test("an up resumes nobody, and another has nothing to do", async () => {
    await project.mustRun(["up", "--yes"]);
    expect(await running()).toEqual(["cedar"]);
    await project.mustRun(["up", "--yes", "--refresh", "--expect-no-changes"]);
  });

  test("resume brings back exactly what ran, and the file is as it was", async () => {
    expect(await command("resume")).toMatchObject({ code: 0, stderr: "" });
    expect(await running()).toEqual(["acme", "bluebird", "cedar", "dune", "elm"]);
    expect(await fileNow()).toBe(text);
  });

  test("the up after it writes nothing to the platform, and ends the override in the state", async () => {
    platform.clearRequests();
    await project.mustRun(["up", "--yes"]);
    expect(platform.writes()).toEqual([]);
    expect((await project.exportState()).text).not.toContain('"overridden"');
    await project.mustRun(["up", "--yes", "--refresh", "--expect-no-changes"]);
  });

  test("without an up between them, nothing has changed for the stack", async () => {
    expect(await command(...pauseBilling)).toMatchObject({ code: 0 });
    expect(await command("resume")).toMatchObject({ code: 0 });
    await project.mustRun(["up", "--yes", "--refresh", "--expect-no-changes"]);
    expect(await running()).toEqual(["acme", "bluebird", "cedar", "dune", "elm"]);
  });
});
