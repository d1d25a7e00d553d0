import { beforeAll, beforeEach, expect, test } from "vitest";
import { endAfterTests } from "../end-after-tests.ts";
import type { StackProject } from "../engine/harness/create-project.ts";
import { type LivePlatform, openPlatform } from "../engine/harness/live-platform.ts";
import { tokenOf } from "../engine/harness/provider-under-test.ts";
import { quickIntegrations } from "../engine/harness/quick-integrations.ts";
import { createInProcessProject } from "./create-in-process-project.ts";

// Tenants that an `up` must not archive, or must. test/engine/not-archived.test.ts has those with several providers.

const program = `
import * as pulumi from "@pulumi/pulumi";
import { Build, Tenant, TenantFleet } from "pulumi-integration-platform";

const crm = { integration: "crm-to-billing", configs: { region: "eu" } };
const erp = { integration: "shop-to-erp", configs: { currency: "EUR" } };
const build = (dependsOn?: pulumi.Resource[]) =>
  new Build("build", { integrationId: 101, tag: "v9.0.0", timeoutSeconds: 3 }, { dependsOn });
const alone = (args: typeof crm | typeof erp) => new Tenant("acme", args, { deleteBeforeReplace: false });

const steps: Record<string, () => unknown> = {
  alone: () => alone(crm),
  "before a build": () => build([alone(crm)]),
  "moved, before a build": () => build([alone(erp)]),
  "in both integrations": () => {
    new TenantFleet("fleet", {
      integration: "shop-to-erp",
      tenants: { acme: { configs: { currency: "EUR" } }, bluebird: {} },
    });
    new Tenant("acme", crm);
  },
  "moved to the fleet's": () => {
    new TenantFleet("fleet", { integration: "shop-to-erp", tenants: { bluebird: {} } });
    new Tenant("acme", { ...erp, adopt: true });
  },
  "moved and adopted": () => {
    const kept = new Tenant("kept", { ...crm, name: "acme", adopt: true });
    new Tenant("acme", erp, { dependsOn: [kept] });
  },
};
steps[new pulumi.Config().require("step")]();
`;

let platform: LivePlatform;
let project: StackProject;
beforeAll(() =>
  endAfterTests(async (open) => {
    platform = open.use(await openPlatform({ seed: { integrations: quickIntegrations() } }));
    project = open.use(await createInProcessProject({ program, stackYaml: "config: {}\n", env: platform.env }));
  }),
);

beforeEach(async () => {
  platform.emulator.clearFaults();
  await project.mustRun(["destroy", "--yes", "--skip-preview"]);
  platform.emulator.setVariants({ builds: "quick" });
  for (const { id } of await platform.tenants()) {
    await platform.call("PATCH", `/_emulator/tenants/${id}`, { archived: true });
  }
});

/** Runs `up` of a step of the program. Returns its exit code. */
async function up(step: string, ...args: string[]): Promise<number | null> {
  await project.writeStackYaml(`config: { throw-away:step: "${step}" }\n`);
  return (await project.run(["up", "--yes", "--skip-preview", ...args])).code;
}

const noBuild = () =>
  platform.emulator.fault({ kind: "status", status: 422, match: { method: "POST", path: "/build$" }, times: 9 });
const idOf = async (integrationId: number) =>
  (await platform.tenants()).find((one) => one.name === "acme" && one.integration_id === integrationId)?.id;
const replaceAcme = ["--replace", `urn:pulumi:test::throw-away::${tokenOf("Tenant")}::acme`];

test("a deletion that a failed replacement has left archives nothing", async () => {
  expect(await up("alone")).toBe(0);
  const id = await idOf(101);
  noBuild();
  expect(await up("before a build", "--refresh=false", ...replaceAcme)).toBe(1);
  expect(await up("alone", "--refresh=false")).toBe(0);
  expect(await idOf(101)).toBe(id);
});

test("a replaced tenant takes over what a fleet gives up", async () => {
  expect(await up("in both integrations")).toBe(0);
  const id = await idOf(102);
  expect(await up("moved to the fleet's")).toBe(0);
  expect([await idOf(101), await idOf(102)]).toEqual([undefined, id]);
});

test("a replacement that creates first, and is taken back after a failure, ends with the first tenant", async () => {
  expect(await up("alone")).toBe(0);
  const id = await idOf(101);
  noBuild();
  expect(await up("moved, before a build", ...replaceAcme)).toBe(1);
  platform.emulator.clearFaults();
  expect(await up("alone")).toBe(0);
  expect([await idOf(101), await idOf(102)]).toEqual([id, undefined]);
});

test("a resource moves to another integration, and another one that comes first adopts its tenant", async () => {
  expect(await up("alone")).toBe(0);
  const id = await idOf(101);
  await up("moved and adopted");
  expect(await up("moved and adopted")).toBe(0);
  expect(await idOf(101)).toBe(id);
  expect(await platform.tenants()).toHaveLength(2);
});
