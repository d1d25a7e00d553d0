import { beforeAll, describe, expect, test } from "vitest";
import { endAfterTests } from "../end-after-tests.ts";
import type { StackProject } from "../engine/harness/create-project.ts";
import { stackOf } from "../engine/harness/declared-stack.ts";
import { type LivePlatform, openPlatform } from "../engine/harness/live-platform.ts";
import { quickIntegrations } from "../engine/harness/quick-integrations.ts";
import { createInProcessProject } from "./create-in-process-project.ts";

const configs = { region: "eu" };
const noRefresh = "--refresh=false";
const refreshes = [noRefresh, "--refresh"];

describe("who answers for a tenant", () => {
  let platform: LivePlatform;
  let project: StackProject;

  beforeAll(() =>
    endAfterTests(async (open) => {
      platform = open.use(await openPlatform({ seed: { integrations: quickIntegrations() } }));
      project = open.use(await createInProcessProject({ stackYaml: stackOf({}), env: platform.env }));
    }),
  );

  const up = async (yaml: string, ...args: string[]) => {
    await project.writeStackYaml(yaml);
    platform.clearRequests();
    const preview = args.includes(noRefresh) ? [] : ["--skip-preview"]; // the stories without a refresh have one
    return project.run(["up", "--yes", ...preview, ...args]);
  };
  const archived = async () => (await platform.tenants({ archived: true })).map(({ id }) => id);

  test.each(refreshes)(
    "a key renamed without an alias keeps its tenant, also in a fleet and back (%s)",
    async (refresh) => {
      await up(stackOf({ acme: { configs } }));
      const { id } = await platform.tenant("acme");

      const renamed = await up(stackOf({ first: { name: "acme", configs } }), refresh);
      expect(renamed.stdout + renamed.stderr).toContain(
        `tenant "acme" (id ${id}) is not archived: Tenant acme is removed, and Tenant first declares it`,
      );
      expect([renamed.code, platform.writes()]).toEqual([0, []]);

      const moved = await up(stackOf({}, { acme: { adopt: true, configs } }), refresh);
      expect([moved.code, platform.writes()]).toEqual([0, []]);

      const back = await up(stackOf({ acme: { adopt: true, configs } }), refresh);
      expect([back.code, platform.writes()]).toEqual([0, []]);
      expect((await platform.tenant("acme")).id).toBe(id);
      expect(await archived()).toEqual([]);
    },
  );

  test.each(refreshes)("removing a key archives its tenant (%s)", async (refresh) => {
    await up(stackOf({ leaving: { configs }, staying: { configs } }));
    const { id } = await platform.tenant("leaving");
    expect((await up(stackOf({ staying: { configs } }), refresh)).code).toBe(0);
    expect(await archived()).toContain(id);
    expect((await platform.tenants()).map(({ name }) => name)).toContain("staying");
  });

  test("the preview refuses an id that another key declares, and names both keys", async () => {
    await up(stackOf({ staying: { configs } }));
    const { id } = await platform.tenant("staying");
    for (const tenants of [
      { staying: { configs }, mistaken: { adopt: id } },
      { mistaken: { adopt: id }, staying: { configs } },
    ]) {
      await project.writeStackYaml(stackOf(tenants));
      const { code, stdout, stderr } = await project.run(["preview", noRefresh]);
      expect(code).not.toBe(0);
      expect(stdout + stderr).toMatch(new RegExp(`tenant .*\\b${id}\\b.*declared by.*Tenant staying`));
      expect(stdout + stderr).toContain("Tenant mistaken");
    }
  });

  test("--replace archives a tenant that has runs and creates another", async () => {
    await up(stackOf({ replaced: { adopt: "never", configs } }));
    const { id } = await platform.tenant("replaced");
    await platform.call("PATCH", `/_emulator/tenants/${id}`, { status: { last_run: { id: 1 } } });
    const { resources } = await project.exportState();
    const urn = resources.find((resource) => resource.urn.endsWith("::replaced"))?.urn ?? "";
    expect((await up(stackOf({ replaced: { adopt: "never", configs } }), noRefresh, "--replace", urn)).code).toBe(0);
    expect(await archived()).toContain(id);
    expect((await platform.tenant("replaced")).id).not.toBe(id);
  });

  test("a key renamed with an alias starts no further sync", async () => {
    const sync = { mode: "normal", on: ["configs"] };
    await up(stackOf({ old: { configs, sync } }));
    for (const connector of ["crm", "billing"]) await platform.connect("old", connector);
    const { id } = await platform.tenant("old");
    await up(stackOf({ old: { configs, sync } }), "--refresh");
    expect(platform.writes().map(({ request }) => request)).toEqual([expect.stringMatching(/POST .*\/sync$/)]);
    const { code } = await up(stackOf({ new: { name: "old", aliases: ["old"], configs, sync } }), noRefresh);
    expect([code, platform.writes()]).toEqual([0, []]);
    expect((await platform.tenant("old")).id).toBe(id);
  });
});

describe("a user's own program", () => {
  const imports = `
    import * as pulumi from "@pulumi/pulumi";
    import { Tenant, TenantMetadata } from "pulumi-integration-platform";
    const step = new pulumi.Config().require("step");
    const integration = "crm-to-billing", configs = { region: "eu" };`;

  /** A project whose program declares the resources of the configured `step`, and a function that changes the step. */
  async function steps(platform: LivePlatform, program: string) {
    const yaml = (step: string) => `config: { throw-away:step: ${step} }\n`;
    const project = await createInProcessProject({
      program: imports + program,
      stackYaml: yaml("one"),
      env: platform.env,
    });
    return {
      project,
      up: async (step: string, ...args: string[]) => {
        await project.writeStackYaml(yaml(step));
        platform.clearRequests();
        return project.mustRun(["up", "--yes", ...args]);
      },
      [Symbol.asyncDispose]: () => project[Symbol.asyncDispose](),
    };
  }

  test.each(refreshes)("moves a tenant into a component without an alias (%s)", async (refresh) => {
    await using platform = await openPlatform();
    await using story = await steps(
      platform,
      `
      class Customer extends pulumi.ComponentResource {
        constructor(name: string) {
          super("my:module:Customer", name);
          new Tenant("acme", { integration, configs }, { parent: this });
          this.registerOutputs({});
        }
      }
      if (step === "one") new Tenant("acme", { integration, configs });
      else new Customer("customer");`,
    );
    await story.up("one");
    const { id } = await platform.tenant("acme");
    await story.up("two", refresh);
    expect(platform.writes()).toEqual([]);
    expect((await platform.tenant("acme")).id).toBe(id);
    await story.project.mustRun(["destroy", "--yes", "--skip-preview"]);
    expect(await platform.tenants()).toEqual([]);
  });

  test.each(refreshes)("moves metadata from a TenantMetadata to the tenant (%s)", async (refresh) => {
    await using platform = await openPlatform({ variants: { metadata: "replace" } });
    await using story = await steps(
      platform,
      `
      const acme = new Tenant("acme", { integration, ...(step === "one" ? {} : { metadata: { plan: "silver" } }) });
      if (step === "one") new TenantMetadata("plan", { tenantId: acme.tenantId, data: { plan: "gold", seats: 3 } });`,
    );
    await story.up("one");
    expect(await platform.metadata("acme")).toEqual({ plan: "gold", seats: 3 });
    await story.up("two", refresh);
    expect(await platform.metadata("acme")).toEqual({ plan: "silver" });
  });

  test("replaces with replaceOnChanges, and refuses it if the replacement would be created first", async () => {
    await using platform = await openPlatform();
    await using story = await steps(
      platform,
      `
      new Tenant("acme", { integration, configs: { region: step === "one" ? "eu" : "us" } }, {
        replaceOnChanges: ["configs.region"],
        ...(step === "three" ? { deleteBeforeReplace: false } : {}),
      });`,
    );
    await story.up("one", noRefresh);
    const { id } = await platform.tenant("acme");
    await story.up("two", noRefresh);
    const second = await platform.tenant("acme");
    expect(second).toMatchObject({ configs: { region: "us" } });
    expect(second.id).not.toBe(id);
    await platform.change("acme", { configs: { region: "uk" } });
    await story.project.writeStackYaml("config: { throw-away:step: three }\n");
    const { code, stdout, stderr } = await story.project.up(["--refresh"]);
    expect(code).not.toBe(0);
    expect(stdout + stderr).toContain("deleteBeforeReplace: true");
    expect((await platform.tenant("acme")).id).toBe(second.id);
  });
});
