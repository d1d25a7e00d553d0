import { delimiter } from "node:path";
import { beforeEach, describe, expect, test } from "vitest";
import { endAfterTests } from "../end-after-tests.ts";
import { createProject, type Project } from "./harness/create-project.ts";
import { type LivePlatform, openPlatform } from "./harness/live-platform.ts";
import { pluginOnPath } from "./harness/plugin-on-path.ts";

/** The native resources are plain ones, as SDKs of other languages have them: without aliases and preset options. */
const program = `
import * as pulumi from "@pulumi/pulumi";
import { Tenant, TenantFleet } from "pulumi-integration-platform";
const native = (type: string, name: string, args: object, options?: object) =>
  new pulumi.CustomResource(\`integration-platform:index:\${type}\`, name, args, options);
const integration = "crm-to-billing", configs = { region: "eu" };
const fleet = { name: "billing", integration, tenants: { cedar: { configs }, dune: { configs } } };
const steps: Record<string, () => unknown> = {
  "dynamic": () => new Tenant("acme", { integration, configs }),
  "native": () => native("Tenant", "acme", { name: "acme", integration, configs }),
  "both": () => [steps.dynamic(), native("Tenant", "customer", { name: "acme", integration, configs })],
  "delete first": () => native("Tenant", "acme", { name: "acme", integration, configs }, { deleteBeforeReplace: true }),
  "dynamic, create first": () => new Tenant("acme", { integration, configs }, { deleteBeforeReplace: false }),
  "dynamic, create first, again": () => steps["dynamic, create first"](),
  "dynamic fleet": () => new TenantFleet("billing", fleet),
  "native fleet": () => native("TenantFleet", "billing", fleet),
  "nothing": () => {},
};
steps[new pulumi.Config().require("step")]();
`;

const refreshes = ["--refresh=false", "--refresh"];
const urnOf = (token: string) => `urn:pulumi:test::throw-away::${token}`;

describe("one operation with several provider processes", () => {
  let platform: LivePlatform;
  let project: Project;

  beforeEach(() =>
    endAfterTests(async (open) => {
      platform = open.use(await openPlatform());
      const plugin = open.use(await pluginOnPath());
      const env = { ...platform.env, PATH: [plugin.folder, process.env.PATH].join(delimiter) };
      project = open.use(await createProject({ program, provider: "dynamic", stackYaml: "config: {}\n", env }));
    }),
  );

  const on = (step: string) => project.writeStackYaml(`config: { throw-away:step: "${step}" }\n`);
  const up = async (step: string, ...args: string[]) => {
    await on(step);
    platform.clearRequests();
    const { code, stdout, stderr } = await project.up(args);
    return { code, text: stdout + stderr, writes: platform.writes().map(({ request }) => request) };
  };
  /** Brings up the resources of the step, and returns the live tenants. */
  const begin = async (step: string) => {
    expect(await up(step)).toMatchObject({ code: 0 });
    return platform.tenants();
  };

  test.each(refreshes)("a tenant moves to the native provider without an alias (%s)", async (refresh) => {
    const [acme] = await begin("dynamic");
    const { code, text, writes } = await up("native", refresh);
    expect([code, writes]).toEqual([0, []]);
    expect(text).toContain(
      `tenant "acme" (id ${acme?.id}) is not archived: Tenant acme is removed, and Tenant acme of the native provider declares it`,
    );
    expect(await platform.tenants()).toMatchObject([{ id: acme?.id, name: "acme" }]);
    expect((await up("nothing")).writes).toEqual([`DELETE /v2/tenants/${acme?.id}`]);
  });

  test.each(refreshes)("a fleet moves to the native provider without an alias (%s)", async (refresh) => {
    const before = await begin("dynamic fleet");
    const { code, writes } = await up("native fleet", refresh);
    expect([code, writes]).toEqual([0, []]);
    expect(await platform.tenants()).toEqual(before);
  });

  test("a tenant that a resource of each provider declares is an error in the preview that names both", async () => {
    await on("both");
    const { code, stdout, stderr } = await project.run(["preview"]);
    expect(code).not.toBe(0);
    expect(stdout + stderr).toMatch(
      /tenant "acme" is declared by two resources, Tenant (acme|customer) of the (dynamic|native) provider and Tenant/,
    );
  });

  test.each(refreshes)("--replace is refused without deleteBeforeReplace, and works with it (%s)", async (refresh) => {
    const [acme] = await begin("native");
    const urn = urnOf("integration-platform:index:Tenant::acme");
    const refused = await up("native", refresh, "--replace", urn);
    expect(refused.code).not.toBe(0);
    expect(refused.text).toContain("Tenant acme cannot be replaced");
    expect(refused.text).toContain("deleteBeforeReplace: true");
    expect(refused.writes).toEqual([]);

    const replaced = await up("delete first", refresh, "--replace", urn);
    expect([replaced.code, replaced.writes]).toEqual([0, [`DELETE /v2/tenants/${acme?.id}`, "POST /v2/tenants"]]);
  });

  test("--replace of a fleet is refused as a whole, and the next up finds nothing to do", async () => {
    const before = await begin("native fleet");
    const urn = urnOf("integration-platform:index:TenantFleet::billing");
    const { code, text, writes } = await up("native fleet", "--replace", urn);
    expect(code).not.toBe(0);
    expect(text).toMatch(/fleet "billing" cannot be replaced.*deleteBeforeReplace: true/);
    expect(writes).toEqual([]);
    expect(await up("native fleet", "--expect-no-changes")).toMatchObject({ code: 0, writes: [] });
    expect(await platform.tenants()).toEqual(before);
  });

  test("the process that checks knows what another one has read, after the stack's config has changed", async () => {
    const [acme] = await begin("dynamic, create first");
    const urn = urnOf("pulumi-nodejs:dynamic/integration-platform:Tenant::acme");
    // with another config, the engine ends the process that refreshed, and starts another one
    const { code, text, writes } = await up("dynamic, create first, again", "--refresh", "--replace", urn);
    expect(code).not.toBe(0);
    expect(text).toContain("Tenant acme cannot be replaced");
    expect(writes).toEqual([]);
    expect(await platform.tenants()).toMatchObject([{ id: acme?.id }]);
  });
});
