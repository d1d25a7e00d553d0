import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { runCli } from "../cli/run-cli.ts";
import { endAfterTests } from "../end-after-tests.ts";
import { createProject, type Project } from "./harness/create-project.ts";
import { type LivePlatform, openPlatform } from "./harness/live-platform.ts";
import { quickIntegrations } from "./harness/quick-integrations.ts";

describe("the tenants that up would archive, in a report of drift", () => {
  let platform: LivePlatform;
  let project: Project;
  let ids: Map<string, number>;

  const declare = (tenants: object, fleet: object, integration = "crm-to-billing") =>
    project.writeStackYaml(`config:
  integration-platform:tenants: ${JSON.stringify(Object.fromEntries(Object.entries(tenants).map(([key, entry]) => [key, { integration: "crm-to-billing", ...entry }])))}
  integration-platform:fleets: ${JSON.stringify({ billing: { integration, tenants: fleet } })}
`);
  const drift = (...args: string[]) =>
    runCli(undefined, ["drift", ...args], { ...project.env, ...platform.env }, project.directory);
  const lineOf = ({ tenant, tenantId, refusal }: { tenant: string; tenantId: number; refusal?: string }) => {
    expect(tenantId).toBe(ids.get(tenant));
    return refusal === undefined ? tenant : `${tenant}: ${refusal}`;
  };
  const refusal = 'its connector "crm" has the status "connected"';

  beforeAll(() =>
    endAfterTests(async (open) => {
      platform = open.use(await openPlatform({ seed: { integrations: quickIntegrations() } }));
      project = open.use(await createProject({ stackYaml: "config: {}\n", env: platform.env }));
      await declare(
        {
          plain: {},
          used: {},
          forced: { forceArchive: true },
          retained: { retainOnDelete: true },
          moves: {},
          stays: {},
        },
        { a: {}, used2: {}, forced2: { forceArchive: true }, retained2: { retainOnDelete: true }, b: {} },
      );
      await project.mustRun(["up", "--yes", "--skip-preview"]);
      for (const name of ["used", "forced", "used2", "forced2", "moves", "stays"]) await platform.connect(name, "crm");
      ids = new Map((await platform.tenants()).map(({ name, id }) => [name, id]));
    }),
  );

  test("are none after an up", async () => {
    expect(JSON.parse((await drift("--json", "-")).stdout)).toMatchObject({ isInSync: true, archives: [] });
  });

  test("are those that the program no longer declares, and those that up will refuse say why", async () => {
    await declare({ stays: {} }, { b: {}, moves: { adopt: true } });
    const { code, stdout } = await drift("--json", "drift.json", "--markdown", "drift.md");
    expect(code).toBe(2);
    const { archives } = JSON.parse(await readFile(join(project.directory, "drift.json"), "utf8"));
    expect(archives.map(lineOf)).toEqual(["a", "forced", "forced2", "plain", `used: ${refusal}`, `used2: ${refusal}`]);

    const markdown = (await readFile(join(project.directory, "drift.md"), "utf8")).replace(/<\/?code>/g, "");
    const plain = markdown.replace(/&#(\d+);/g, (_, code) => String.fromCodePoint(Number(code)));
    for (const text of [stdout, plain]) {
      expect(text).toContain(`up will archive tenant plain (${ids.get("plain")}).`);
      expect(text).toContain(
        `up will refuse to archive tenant used (${ids.get("used")}), because it is connected or may be: ${refusal}. ` +
          "To archive it anyway, set forceArchive: true, run up, and then remove it.",
      );
      expect(text).not.toMatch(/archive tenant (moves|stays|retained)/);
    }
  });

  test("are what the next up archives and refuses", async () => {
    expect((await project.up()).code).not.toBe(0);
    await declare({ stays: {}, used: {} }, { b: {}, moves: { adopt: true }, used2: {} });
    await project.mustRun(["up", "--yes", "--skip-preview"]); // the engine deletes nothing after a refusal
    const live = (await platform.tenants()).map(({ name }) => name).sort();
    expect(live).toEqual(["b", "moves", "retained", "retained2", "stays", "used", "used2"]);
  });

  test("include those of a fleet that is replaced or removed", async () => {
    await declare({ stays: {} }, { b: {}, moves: {} }, "shop-to-erp");
    const { stdout } = await drift("--json", "-");
    expect(JSON.parse(stdout).archives.map(lineOf)).toEqual([
      "b",
      `moves: ${refusal}`,
      `used: ${refusal}`,
      `used2: ${refusal}`,
    ]);
    await project.writeStackYaml("config: { integration-platform:allowNoTenants: true }\n");
    const removed = JSON.parse((await drift("--json", "-")).stdout).archives.map(lineOf);
    expect(removed).toEqual(["b", `moves: ${refusal}`, `stays: ${refusal}`, `used: ${refusal}`, `used2: ${refusal}`]);
  });
});
