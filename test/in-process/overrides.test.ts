import { beforeAll, describe, expect, test } from "vitest";
import { createManualClock } from "../../src/emulator/index.ts";
import { endAfterTests } from "../end-after-tests.ts";
import type { StackProject } from "../engine/harness/create-project.ts";
import { type LivePlatform, openPlatform } from "../engine/harness/live-platform.ts";
import { createInProcessProject } from "./create-in-process-project.ts";

// The platform's clock starts at the present, and only `advance` moves it.
const start = Date.now();
const inSeconds = (seconds: number) => new Date(start + seconds * 1000).toISOString();

describe("overrides in a stack's YAML, from an incident to its end", () => {
  let platform: LivePlatform;
  let project: StackProject;

  const yaml = (overrides = "[]", ofFleet = "[]") => `config:
  integration-platform:overrides: ${overrides}
  integration-platform:tenants:
    acme: { integration: crm-to-billing, paused: false, configs: { region: eu } }
    bluebird: { integration: crm-to-billing }
    cedar: { integration: shop-to-erp }
  integration-platform:fleets:
    billing:
      integration: crm-to-billing
      overrides: ${ofFleet}
      limits: { change: 1 }
      tenants: { dune: { paused: false }, elm: {}, fir: { paused: true }, gum: {} }
`;
  /** The tenants as the platform shows them, without when they were last written. */
  const live = async () => (await platform.tenants()).map(({ modified_date: _, ...tenant }) => tenant);
  const running = async () =>
    (await live())
      .filter(({ paused }) => !paused)
      .map(({ name }) => name)
      .sort();
  const declare = (...overrides: Parameters<typeof yaml>) => project.writeStackYaml(yaml(...overrides));
  let before: Awaited<ReturnType<typeof live>>;

  beforeAll(() =>
    endAfterTests(async (open) => {
      platform = open.use(await openPlatform({ clock: createManualClock(new Date(start).toISOString()) }));
      project = open.use(await createInProcessProject({ stackYaml: yaml(), env: platform.env }));
      await project.mustRun(["up", "--yes"]);
      // nobody manages whether these run
      for (const name of ["bluebird", "elm"]) await platform.change(name, { paused: false });
      await project.mustRun(["refresh", "--yes"]);
      before = await live();
    }),
  );

  test("the stack has tenants that run and that are paused, declared and undeclared", async () => {
    expect(await running()).toEqual(["acme", "bluebird", "dune", "elm"]);
  });

  test("a preview names the override and what it pauses", async () => {
    await declare(`{ paused: true, reason: INC-42, until: ${inSeconds(86_400)} }`);
    const { stdout } = await project.mustRun(["preview"]);
    expect(stdout).toMatch(/fleet "billing": override INC-42.* pauses 4 tenants/);
    expect(stdout).toMatch(/tenant "?acme"?.*: override INC-42/);
    expect(await live()).toEqual(before);
  });

  test("up pauses all tenants, whatever they declare and whatever the limits are", async () => {
    await project.mustRun(["up", "--yes"]);
    expect(await live()).toEqual(before.map((tenant) => ({ ...tenant, paused: true })));
  });

  test("as long as it is in force, there is nothing to do", async () => {
    platform.clearRequests();
    await project.mustRun(["refresh", "--yes", "--expect-no-changes"]);
    await project.mustRun(["up", "--yes", "--expect-no-changes"]);
    expect(platform.writes()).toEqual([]);
  });

  test("a tenant that somebody resumes is drift, and is paused again", async () => {
    for (const name of ["acme", "elm"]) await platform.change(name, { paused: false });
    await project.mustRun(["up", "--yes", "--refresh"]);
    expect(await running()).toEqual([]);
  });

  test("its removal restores all tenants exactly as they were", async () => {
    await declare();
    await project.mustRun(["up", "--yes"]);
    expect(await live()).toEqual(before);
    await project.mustRun(["up", "--yes", "--refresh", "--expect-no-changes"]);
    expect((await project.exportState()).text).not.toContain('"overridden"');
  });

  test("overrides of an integration and of a fleet's tenants pause only these", async () => {
    await declare(
      "[{ paused: true, reason: INC-43, integration: 101, tenants: [bluebird] }]",
      `{ paused: true, reason: INC-44, tenants: [dune, gum], until: ${inSeconds(12 * 3600)} }`,
    );
    await project.mustRun(["up", "--yes"]);
    expect(await running()).toEqual(["acme", "elm"]);
    await project.mustRun(["up", "--yes", "--refresh", "--expect-no-changes"]);
  });

  test("one does not end because of one response whose Date is wrong", async () => {
    platform.emulator.fault({ kind: "wrong-date", seconds: 13 * 3600 });
    await project.mustRun(["up", "--yes", "--expect-no-changes"]);
    expect(await running()).toEqual(["acme", "elm"]);
  });

  test("one ends by itself, by the platform's clock, and a warning says that it can be removed", async () => {
    // from here on, this machine's clock is wrong: the commands take a few seconds more, until they know the time
    await platform.emulator.advance({ seconds: 13 * 3600 });
    await project.mustRun(["up", "--yes", "--skip-preview"]);
    expect(await running()).toEqual(["acme", "dune", "elm"]);
    const { stdout, stderr } = await project.mustRun(["up", "--yes", "--skip-preview", "--expect-no-changes"]);
    expect(stdout + stderr).toMatch(/override INC-44.* has ended/);
    await declare();
    await project.mustRun(["up", "--yes", "--skip-preview"]);
    expect(await live()).toEqual(before);
  });
});
