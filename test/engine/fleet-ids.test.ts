import { expect, test } from "vitest";
import { createProject } from "./harness/create-project.ts";
import { openPlatform } from "./harness/live-platform.ts";
import { tokenOf } from "./harness/provider-under-test.ts";

const program = `
import * as pulumi from "@pulumi/pulumi";
import { Tenant, TenantFleet } from "pulumi-integration-platform";
const config = new pulumi.Config();
const fleet = new TenantFleet("billing", { integration: "crm-to-billing", tenants: config.requireObject("tenants") });
export const ids = fleet.tenantIds;
ids.apply((known) => pulumi.log.info("known ids: " + Object.keys(known)));
export const idOfAcme = fleet.tenants.apply((tenants) => tenants.acme.tenantId);
const single = new Tenant("single", { integration: "crm-to-billing", schedule: config.require("schedule") });
export const idOfSingle = single.tenantId;
`;

test("ids are outputs that a preview knows unless they may change, and never shows as deleted", async () => {
  await using platform = await openPlatform();
  const yaml = (tenants: object, schedule = "0 1 * * *") =>
    `config: { throw-away:tenants: ${JSON.stringify(tenants)}, throw-away:schedule: "${schedule}" }\n`;
  await using project = await createProject({ program, stackYaml: yaml({ acme: {}, cedar: {} }), env: platform.env });
  const outputs = async () => JSON.parse((await project.mustRun(["stack", "output", "--json"])).stdout);
  const shownBy = async (args: string[]) => {
    const { stdout, stderr } = await project.mustRun(args);
    return stdout + stderr;
  };
  const outputsIn = (stdout: string) => stdout.split("--outputs:--")[1]?.split("Resources:")[0];

  const created = (await project.mustRun(["preview", "--diff"])).stdout;
  expect(outputsIn(created)?.match(/\[unknown\]/g)).toHaveLength(3);
  await project.mustRun(["up", "--yes", "--skip-preview"]);
  const idOf = async (name: string) => (await platform.tenant(name)).id;
  const single = await idOf("single");
  const [acme, cedar] = [await idOf("acme"), await idOf("cedar")];
  expect(await outputs()).toEqual({ ids: { acme, cedar }, idOfAcme: acme, idOfSingle: single });
  await project.mustRun(["preview", "--expect-no-changes"]);

  await project.writeStackYaml(yaml({ acme: {}, cedar: {} }, "0 2 * * *"));
  const ofOther = await shownBy(["preview", "--diff"]);
  expect(ofOther).not.toContain("--outputs:--");
  expect(ofOther).toContain("known ids: acme,cedar");

  await project.writeStackYaml(yaml({ acme: {}, dune: {} }));
  const ofChange = await shownBy(["preview", "--diff"]);
  expect(ofChange.match(/^ *[-+~] .*/gm)?.map((line) => line.trim())).toEqual([
    `~ ${tokenOf("TenantFleet")}: (update)`,
    "~ tenants: {",
    "- cedar: {}",
    "+ dune : {}",
    "~ 1 to update",
  ]);
  expect(ofChange).not.toContain("known ids");
  await project.mustRun(["up", "--yes", "--skip-preview"]);
  expect(await outputs()).toEqual({ ids: { acme, dune: await idOf("dune") }, idOfAcme: acme, idOfSingle: single });
  const { resources } = await project.exportState();
  expect(resources.find(({ urn }) => urn.endsWith("::billing"))?.outputs.tenantIds).toEqual({
    acme,
    dune: await idOf("dune"),
  });
});

test("the ids of tenants that are one secret are a secret, as their keys are", async () => {
  await using platform = await openPlatform();
  const secretive = `
import * as pulumi from "@pulumi/pulumi";
import { TenantFleet } from "pulumi-integration-platform";
const tenants = pulumi.secret({ "hidden-name": { schedule: "0 1 * * *" } });
export const ids = new TenantFleet("billing", { integration: "crm-to-billing", tenants }).tenantIds;
`;
  await using project = await createProject({ program: secretive, stackYaml: "config: {}\n", env: platform.env });
  await project.mustRun(["up", "--yes", "--skip-preview"]);
  await project.mustRun(["refresh", "--yes", "--skip-preview"]);
  const { text } = await project.exportState();
  expect(text).toContain("tenantIds");
  expect(text).not.toContain("hidden-name");
  const shown = await project.mustRun(["stack", "output", "--json", "--show-secrets"]);
  expect(JSON.parse(shown.stdout)).toEqual({ ids: { "hidden-name": (await platform.tenant("hidden-name")).id } });
});
