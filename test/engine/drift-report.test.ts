import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { runCli } from "../cli/run-cli.ts";
import { endAfterTests } from "../end-after-tests.ts";
import { createProject, type Project } from "./harness/create-project.ts";
import { type LivePlatform, openPlatform } from "./harness/live-platform.ts";
import { providerUnderTest } from "./harness/provider-under-test.ts";

const program = `
import * as pulumi from "@pulumi/pulumi";
import { Build, SyncTrigger, Tenant, TenantFleet, TenantMetadata } from "./src/index.ts";

const integration = "crm-to-billing";
const plan = new pulumi.Config().get("plan") ?? "gold";
new Tenant("acme", {
  integration,
  paused: false,
  release: { tag: "v1.0.0" },
  configs: {
    region: "eu",
    "a.b\\"c": { d: [1, 2] },
    token: pulumi.secret("hidden-token"),
    login: { user: "ada", password: pulumi.secret("hidden-password") },
    list: [pulumi.secret("hidden-item"), 2],
  },
  metadata: { plan, seats: 4 },
});
const elsewhere = new Tenant("elsewhere", { integration });
new TenantMetadata("labels", { tenantId: elsewhere.tenantId, data: { plan: "gold" } });
new Tenant("renamed", { integration });
new Tenant("archived", { integration });
new TenantFleet("fleet", {
  integration,
  tenants: {
    one: { paused: false, configs: { region: "eu", token: pulumi.secret("hidden-one") } },
    "two-2": { schedule: "0 1 * * *", metadata: { plan: "gold" } },
    three: {},
    untouched: {},
  },
});
new TenantFleet("incident", {
  integration,
  override: { paused: true, reason: "INC-42" },
  tenants: { halted: { paused: false, configs: { api_token: { ref: "env:DRIFT_TOKEN", version: 3 } } } },
});
new Build("build", { integrationId: 101, tag: "v9.0.0" });
new SyncTrigger("sync", { tenantId: elsewhere.tenantId, mode: "normal" });
`;

describe("drift of a stack", () => {
  let platform: LivePlatform;
  let project: Project;
  const drift = (...args: string[]) =>
    runCli(undefined, ["drift", ...args], { ...project.env, ...platform.env }, project.directory);
  const differences = async () => JSON.parse((await drift("--json", "-")).stdout).differences;

  beforeAll(() =>
    endAfterTests(async (open) => {
      platform = open.use(await openPlatform());
      const env = { ...platform.env, DRIFT_TOKEN: "hidden-reference" };
      project = open.use(await createProject({ program, stackYaml: "config: {}\n", env }));
      await project.mustRun(["up", "--yes", "--skip-preview"]);
    }),
  );

  test("finds no difference after up and ends with 0", async () => {
    const { code, stdout, stderr } = await drift();
    expect({ code, stdout, stderr }).toEqual({
      code: 0,
      stdout: "All 9 tenants match their declarations.\n1 tenant is overridden: INC-42.\n",
      stderr: "",
    });
  });

  test("reports every kind of tenant by field, with its declared and its actual value, and masks secrets", async () => {
    const acme = await platform.tenant("acme");
    await platform.change("acme", {
      paused: true,
      integration_release_id: 902,
      configs: {
        region: "us",
        'a.b"c': { d: [2] },
        token: "other-token",
        login: "ada:hidden-password",
        list: ["other-item", 2],
        undeclared: 1,
      },
    });
    await platform.changeMetadata("acme", { plan: "tin" });
    await platform.changeMetadata("elsewhere", { plan: "tin" });
    await platform.change("renamed", { name: "by-hand" });
    await platform.archive("archived");
    await platform.change("one", { paused: true, configs: { region: "us", token: "other-one" } });
    await platform.change("two-2", { user_schedule: null });
    await platform.changeMetadata("two-2", { plan: "<b>|tin" });
    await platform.archive("three");
    await platform.change("halted", { paused: false, configs: { api_token: "other-reference" } });
    const stateBefore = (await project.mustRun(["stack", "export"])).stdout;
    platform.clearRequests();

    const files = [
      "--markdown",
      "drift.md",
      "--json",
      "drift.json",
      "--html",
      "drift.html",
      "--history",
      "history.json",
    ];
    const { code, stdout } = await drift(...files, "--stack", "test");

    expect(code).toBe(2);
    expect(platform.writes()).toEqual([]);
    expect((await project.mustRun(["stack", "export"])).stdout).toBe(stateBefore);
    const [markdown = "", json = "", html = ""] = await Promise.all(
      ["drift.md", "drift.json", "drift.html"].map((name) => readFile(join(project.directory, name), "utf8")),
    );
    const report = JSON.parse(json);
    const head = { stack: "test", project: "throw-away", platform: platform.emulator.url };
    expect(report).toMatchObject({
      ...head,
      tenants: 9,
      isInSync: false,
      overrides: [{ reason: "INC-42", tenants: 1 }],
    });
    // the engine knows the places of secrets within a list only from the native provider
    const item = providerUnderTest === "native" ? "[0]" : "";
    expect(report.differences[0]).toEqual({
      tenant: "acme",
      tenantId: acme.id,
      resource: "Tenant acme",
      field: `configs.list${item}`,
      declared: "(secret)",
      actual: "(secret)",
      isSecret: true,
      changedOn: "platform",
      firstFoundAt: report.createdAt,
    });
    expect(report.differences.map(asLine)).toEqual([
      `acme configs.list${item}: "(secret)" "(secret)"`,
      'acme configs.login: "(secret)" "(secret)"',
      'acme configs.region: "eu" "us"',
      'acme configs.token: "(secret)" "(secret)"',
      'acme configs["a.b\\"c"].d: [1,2] [2]',
      'acme metadata.plan: "gold" "tin"',
      "acme paused: false true",
      'acme release.tag: "v1.0.0" "v1.1.0"',
      'archived undefined: "exists" "archived"',
      'elsewhere metadata.plan: "gold" "tin"',
      'halted configs.api_token: "env:DRIFT_TOKEN (version 3)" "(differs)"',
      "halted override.paused: true false",
      'one configs.region: "eu" "us"',
      'one configs.token: "(secret)" "(secret)"',
      "one paused: false true",
      'renamed name: "renamed" "by-hand"',
      'three undefined: "exists" "archived"',
      'two-2 metadata.plan: "gold" "<b>|tin"',
      'two-2 schedule: "0 1 * * *" "none"',
    ]);
    for (const text of [stdout, markdown, html])
      expect(text).toContain("8 of 9 tenants differ from their declarations.");
    for (const text of [markdown, html]) expect(text).not.toContain("<b>");
    const history = await readFile(join(project.directory, "history.json"), "utf8");
    expect(JSON.parse(history).findings).toHaveLength(report.differences.length);
    expect(stdout + markdown + json + html + history).not.toMatch(/hidden-|other-/);
  });

  test("reports the same to a user who has turned off the differences of refreshes", async () => {
    const env = { ...project.env, ...platform.env, PULUMI_ENABLE_LEGACY_REFRESH_DIFF: "true" };
    const { stdout } = await runCli(undefined, ["drift", "--json", "-"], env, project.directory);
    const reported = JSON.parse(await readFile(join(project.directory, "drift.json"), "utf8")).differences;
    const withoutTimes = reported.map(({ firstFoundAt: _, ...difference }: Record<string, unknown>) => difference);
    expect(JSON.parse(stdout).differences).toEqual(withoutTimes);
  });

  test("distinguishes drift since the last refresh from changes of the program", async () => {
    await project.mustRun(["config", "set", "plan", "platinum"]);
    await project.mustRun(["refresh", "--yes", "--skip-preview"]);
    await platform.changeMetadata("elsewhere", { plan: "lead" });

    const { code, stdout } = await drift("--json", "-");
    expect(code).toBe(2);
    const found: { changedOn: string; field?: string; tenant: string }[] = JSON.parse(stdout).differences;
    expect(found.filter(({ changedOn }) => changedOn === "platform").map(({ field }) => field)).toEqual([
      "metadata.plan",
    ]);
    expect(found.map(asLine)).toContain('acme metadata.plan: "platinum" "tin"');
    expect(found.map(asLine)).toContain('archived undefined: "exists" undefined');
  });

  test("finds no difference after the next up, which the history says of all that was found", async () => {
    await project.mustRun(["up", "--yes", "--skip-preview"]);
    expect(await differences()).toEqual([]);
    const { code, stdout } = await drift("--history", "history.json");
    expect(code).toBe(0);
    expect(stdout).toMatch(/Gone since the run of .* UTC:\n[\s\S]*\nacme \(\d+\) +configs\.region +"eu" +"us" +since /);
    const { findings } = JSON.parse(await readFile(join(project.directory, "history.json"), "utf8"));
    expect(findings.map(({ goneAt }: { goneAt?: string }) => typeof goneAt)).not.toContain("undefined");
  });

  test("ends with 1 and writes no file while the platform fails", async () => {
    const before = await readFile(join(project.directory, "history.json"), "utf8");
    platform.emulator.fault({ kind: "status", status: 503, times: 1000, match: { path: "^/v2/tenants$" } });
    const { code, stdout, stderr } = await drift("--json", "unknown.json", "--history", "history.json");
    expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
    expect(stderr).toMatch(/error: .*failed with .*it is not known whether there is drift[\s\S]*503/);
    await expect(readFile(join(project.directory, "unknown.json"))).rejects.toThrow("ENOENT");
    expect(await readFile(join(project.directory, "history.json"), "utf8")).toBe(before);
  });
});

function asLine(difference: { tenant: string; field?: string; declared?: unknown; actual?: unknown }): string {
  const { tenant, field, declared, actual } = difference;
  return `${tenant} ${field}: ${JSON.stringify(declared)} ${JSON.stringify(actual)}`;
}
