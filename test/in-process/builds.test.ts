import { beforeAll, describe, expect, test } from "vitest";
import { endAfterTests } from "../end-after-tests.ts";
import type { StackProject } from "../engine/harness/create-project.ts";
import { type LivePlatform, openPlatform } from "../engine/harness/live-platform.ts";
import { quickIntegrations } from "../engine/harness/quick-integrations.ts";
import { createInProcessProject } from "./create-in-process-project.ts";

const strict = { type: "object", properties: { account: { type: "string" } }, required: ["account"] };
const post = "POST /v2/sourcecontrol/build";

describe("builds in YAML and the tenants that run them, step by step", () => {
  let platform: LivePlatform;
  let project: StackProject;

  const declare = (tag: string, configs: string, more = "") =>
    project.writeStackYaml(`config:
  integration-platform:builds:
    billing: { integration: crm-to-billing, tag: ${tag}${more} }
  integration-platform:tenants:
    acme:
      integration: crm-to-billing
      release: { build: billing }
      configs: ${configs}
`);
  const requests = () => platform.writes().map(({ request }) => request);
  const releaseOfAcme = async () => (await platform.tenant("acme")).integration_release_id;

  beforeAll(() =>
    endAfterTests(async (open) => {
      const seed = { integrations: quickIntegrations([{ tag: "v3.0.0", config_schema: strict }]) };
      platform = open.use(await openPlatform({ seed, variants: { builds: "quick" } }));
      project = open.use(await createInProcessProject({ stackYaml: "config: {}\n", env: platform.env }));
    }),
  );

  test("creates the release and then the tenant that runs it", async () => {
    await declare("v2.0.0", "{ region: eu }");
    expect((await project.preview()).changeSummary).toMatchObject({ create: 3 });
    expect(requests()).toEqual([]);

    await project.mustRun(["up", "--yes"]);
    expect(requests()).toEqual([post, "POST /v2/tenants"]);
    const release = await platform.call("GET", `/v2/integrations/101/releases/${await releaseOfAcme()}`);
    expect(release).toMatchObject({ tag: "v2.0.0" });
    await project.mustRun(["preview", "--expect-no-changes"]);
  });

  test("checks the tenant's configs against the new release before it changes the tenant", async () => {
    const before = await platform.tenant("acme");
    await declare("v3.0.0", "{ region: us }");
    platform.clearRequests();
    const { code, stdout, stderr } = await project.up();
    expect(code).not.toBe(0);
    expect(stdout + stderr).toMatch(/configs\.account.*is required/s);
    expect(requests()).toEqual([post]);
    expect(await platform.tenant("acme")).toEqual(before);
  });

  test("updates the tenant without another build once the configs fit", async () => {
    await declare("v3.0.0", "{ region: us, account: acme-1 }");
    const { id } = await platform.tenant("acme");
    platform.clearRequests();
    await project.mustRun(["up", "--yes"]);
    expect(requests()).toEqual([`PATCH /v2/tenants/${id}`]);
    const release = await platform.call("GET", `/v2/integrations/101/releases/${await releaseOfAcme()}`);
    expect(release).toMatchObject({ tag: "v3.0.0" });
    await project.mustRun(["preview", "--expect-no-changes"]);
  });

  test("makes only one build if the response to its request is lost", async () => {
    await declare("v4.0.0", "{ region: us, account: acme-1 }");
    platform.emulator.fault({ kind: "cut-after", match: { method: "POST", path: "/build$" } });
    platform.clearRequests();
    await project.mustRun(["up", "--yes", "--skip-preview"]);
    expect(requests().filter((request) => request === post)).toHaveLength(1);
  });

  test("refuses an existing tag in the preview unless the build adopts it", async () => {
    await declare("v1.0.0", "{ region: us }");
    platform.clearRequests();
    const { code, stdout, stderr } = await project.run(["preview"]);
    expect(code).not.toBe(0);
    expect(stdout + stderr).toMatch(/release 901 .*has the tag "v1.0.0" already/);

    await declare("v1.0.0", "{ region: us }", ", adopt: true");
    await project.mustRun(["up", "--yes"]);
    expect(await releaseOfAcme()).toBe(901);
    expect(requests()).not.toContain(post);
  });

  test("leaves the releases on the platform when the builds are deleted, and reports it", async () => {
    const { stdout, stderr } = await project.mustRun(["destroy", "--yes"]);
    expect(stdout + stderr).toMatch(/release 901 stays on the platform/);
    expect(await platform.call("GET", "/v2/integrations/101/releases")).toHaveLength(5);
  });
});

test("waits in the next up for a slow build instead of starting a second one", async () => {
  await using platform = await openPlatform({ clock: "manual" });
  await using project = await createInProcessProject({
    env: platform.env,
    stackYaml: `config:
  integration-platform:builds:
    slow: { integration: crm-to-billing, tag: v9, timeoutSeconds: 1 }
`,
  });
  const { code, stdout, stderr } = await project.up();
  expect(code).not.toBe(0);
  expect(stdout + stderr).toMatch(/build "v9".*does not show yet.*The next up waits on/s);

  await platform.emulator.advance({ seconds: 60 });
  await project.mustRun(["up", "--yes"]);
  expect(platform.writes().map(({ request }) => request)).toEqual([post]);
  const build = (await project.exportState()).resources.find(({ id }) => id === "101/v9");
  expect(build?.outputs).toMatchObject({ releaseName: "crm-to-billing v9" });
  await project.mustRun(["preview", "--expect-no-changes"]);
});

test("a program returns to its former build after the request of another one has failed", async () => {
  await using platform = await openPlatform({
    seed: { integrations: quickIntegrations() },
    variants: { builds: "quick" },
  });
  const declare = (tag: string) => `config:
  integration-platform:builds:
    billing: { integration: crm-to-billing, tag: ${tag} }
`;
  await using project = await createInProcessProject({ env: platform.env, stackYaml: declare("v8.0.0") });
  await project.mustRun(["up", "--yes", "--skip-preview"]);
  platform.emulator.fault({ kind: "status", status: 422, match: { method: "POST", path: "/build$" } });
  await project.writeStackYaml(declare("v9.0.0"));
  expect((await project.up()).code).not.toBe(0);

  platform.clearRequests();
  await project.writeStackYaml(declare("v8.0.0"));
  await project.mustRun(["up", "--yes", "--skip-preview", "--expect-no-changes"]);
  await project.writeStackYaml(declare("v9.0.0"));
  await project.mustRun(["up", "--yes"]);
  expect(platform.writes().map(({ request }) => request)).toEqual([post]);
});

test("--replace requests a build once more whose release never showed", async () => {
  await using platform = await openPlatform({ clock: "manual" });
  await using project = await createInProcessProject({
    env: platform.env,
    stackYaml: `config:
  integration-platform:builds:
    lost: { integration: crm-to-billing, tag: v9, timeoutSeconds: 1 }
`,
  });
  expect((await project.up()).code).not.toBe(0);
  const builds = async () => (await project.exportState()).resources.filter(({ id }) => id === "101/v9");
  platform.clearRequests();
  const [{ urn } = { urn: "" }] = await builds();
  expect((await project.up(["--replace", urn])).code).not.toBe(0);

  await platform.emulator.advance({ seconds: 60 });
  await project.mustRun(["up", "--yes"]);
  expect(platform.writes().map(({ request }) => request)).toEqual([post]);
  expect(await builds()).toMatchObject([{ outputs: { releaseName: "crm-to-billing v9" } }]);
  await project.mustRun(["preview", "--expect-no-changes"]);
});

test("a tenant whose integration is an output of its build stays when the build is replaced", async () => {
  await using platform = await openPlatform({
    seed: { integrations: quickIntegrations() },
    variants: { builds: "quick" },
  });
  await using project = await createInProcessProject({
    env: platform.env,
    stackYaml: "config:\n  app:tag: v8.0.0\n",
    program: `import * as pulumi from "@pulumi/pulumi";
import { Build, Tenant } from "pulumi-integration-platform";
const tag = new pulumi.Config("app").require("tag");
const build = new Build("release", { integrationId: 101, tag });
new Tenant("acme", { integration: build.integrationId, release: { id: build.releaseId } });
`,
  });
  await project.mustRun(["up", "--yes"]);
  const { id } = await platform.tenant("acme");
  await project.writeStackYaml("config:\n  app:tag: v9.0.0\n");
  await project.mustRun(["up", "--yes"]);
  expect(platform.writes().filter(({ request }) => request.startsWith("DELETE"))).toEqual([]);
  expect(await platform.tenants()).toMatchObject([{ id, name: "acme" }]);
});
