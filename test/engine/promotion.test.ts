import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { runCli } from "../cli/run-cli.ts";
import { endAfterTests } from "../end-after-tests.ts";
import { createProject, type Project } from "./harness/create-project.ts";
import { type LivePlatform, openPlatform } from "./harness/live-platform.ts";
import { providerUnderTest, stackYamlOn } from "./harness/provider-under-test.ts";
import { quickIntegrations } from "./harness/quick-integrations.ts";
import { releaseIds } from "./harness/rollout-story.ts";

const { "v1.0.0": older, "v1.1.0": newer } = releaseIds;

describe("a promotion from the platform sandbox to the platform production", () => {
  let sandbox: LivePlatform;
  let production: LivePlatform;
  let project: Project;
  let before: string;

  const sandboxYaml = () => `config:
  integration-platform:baseUrl: ${sandbox.emulator.url}
  integration-platform:tenantDefaults: { integration: crm-to-billing, paused: false, release: { tag: v1.1.0 } }
  integration-platform:tenants: { test-one: {}, test-two: {} }
`;
  const productionYaml = () => `config:
  integration-platform:baseUrl: ${production.emulator.url}
  integration-platform:promoteRequires: tenants >= 2 and syncs >= 2 and failures == 0
  integration-platform:tenantDefaults:
    integration: crm-to-billing
    paused: false
    release: { tag: v1.0.0 } # of all but the fleet
  integration-platform:tenants: { solo: {} }
  integration-platform:fleets:
    billing:
      integration: crm-to-billing
      defaults: { paused: false, release: { tag: "v1.0.0" } }
      tenants: { acme: {}, beta: {}, gamma: {}, pinned: { release: { tag: v1.0.0 } } }
      rollout: { waves: [{ name: canary, tenants: [acme] }, { percent: 100 }], maxUnavailable: 2 }
`;
  const keyOf = ({ emulator }: LivePlatform) => ({ INTEGRATION_PLATFORM_API_KEY: emulator.apiKey });
  const up = (stack: string, platform: LivePlatform) =>
    project.mustRun(["up", "--yes", "--skip-preview", "--stack", stack], { env: keyOf(platform) });
  const connectAll = async (platform: LivePlatform) => {
    for (const { name } of await platform.tenants()) {
      for (const connector of ["crm", "billing"]) await platform.connect(name, connector);
    }
  };
  const releases = async () => {
    const tenants = await production.tenants();
    return Object.fromEntries(tenants.map(({ name, integration_release_id: id }) => [name, id]));
  };
  const promote = (...args: string[]) => {
    const command = ["promote", "--from", "sandbox", "--to", "production", "--integration", "crm-to-billing", ...args];
    const keys = { ...keyOf(production), INTEGRATION_PLATFORM_FROM_API_KEY: sandbox.emulator.apiKey };
    return runCli(undefined, command, { ...project.env, ...keys }, project.directory);
  };
  const file = () => readFile(project.stackFile, "utf8");

  beforeAll(() =>
    endAfterTests(async (open) => {
      sandbox = open.use(await openPlatform({ seed: { integrations: quickIntegrations() } }));
      production = open.use(await openPlatform({ seed: { integrations: quickIntegrations() } }));
      project = open.use(await createProject({ stackYaml: productionYaml(), stack: "production" }));
      await writeFile(join(project.directory, "Pulumi.sandbox.yaml"), stackYamlOn(providerUnderTest, sandboxYaml()));
      await project.mustRun(["stack", "init", "sandbox", "--no-select"]);
      for (const [stack, platform] of [
        ["sandbox", sandbox],
        ["production", production],
      ] as const) {
        await up(stack, platform);
        await connectAll(platform);
      }
      await up("production", production); // ends the rollout with which the fleet began
      before = await file();
    }),
  );

  test("is refused as long as sandbox has not synced with the release", async () => {
    expect(await promote()).toMatchObject({ code: 4, stdout: expect.stringContaining("not proven enough") });
    expect(await file()).toBe(before);
  });

  test("changes two lines of the file of production, and nothing on either platform", async () => {
    const synced = await runCli(sandbox.emulator, ["sync", "--integration", "crm-to-billing"]);
    expect(synced).toMatchObject({ code: 0, stdout: "Syncs: 2 succeeded\n" });
    for (const platform of [sandbox, production]) platform.clearRequests();
    const { code, stderr } = await promote("--write-summary", "summary.md");
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    const after = (await file()).split("\n");
    const changed = before.split("\n").flatMap((line, at) => (line === after[at] ? [] : [[line, after[at]]]));
    expect(changed).toEqual([
      [expect.stringContaining("{ tag: v1.0.0 } # of all"), "    release: { tag: v1.1.0 } # of all but the fleet"],
      [expect.stringContaining('"v1.0.0"'), "      defaults: { paused: false, release: { tag: v1.1.0 } }"],
    ]);
    expect(after).toHaveLength(before.split("\n").length);
    expect(await readFile(join(project.directory, "summary.md"), "utf8")).toContain(
      "Pulumi.production.yaml is changed",
    );
    expect([...sandbox.writes(), ...production.writes()]).toEqual([]);
    expect(await releases()).toEqual({ solo: older, acme: older, beta: older, gamma: older, pinned: older });
  });

  test("is, merged, a rollout in production: each `up` moves a wave", async () => {
    await up("production", production);
    expect(await releases()).toEqual({ solo: newer, acme: newer, beta: older, gamma: older, pinned: older });
    const { id } = await production.tenant("acme");
    const ofAcme = production.writes().filter(({ request }) => request.includes(`/tenants/${id}`));
    expect(ofAcme.map(({ request }) => request)).toEqual([
      `PATCH /v2/tenants/${id}`,
      expect.stringMatching(`^POST /v2/tenants/${id}/sync`),
    ]);
    await up("production", production);
    expect(await releases()).toEqual({ solo: newer, acme: newer, beta: newer, gamma: newer, pinned: older });
    await project.mustRun(["preview", "--expect-no-changes", "--stack", "production"], { env: keyOf(production) });
    expect(sandbox.writes()).toEqual([]);
  });
});
