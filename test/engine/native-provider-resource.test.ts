import { expect, test } from "vitest";
import { createProject } from "./harness/create-project.ts";
import { openPlatform } from "./harness/live-platform.ts";

const program = `
import * as pulumi from "@pulumi/pulumi";
import { Provider, Tenant } from "pulumi-integration-platform/native";
const config = new pulumi.Config();
const us = new Provider("us", { baseUrl: config.require("usUrl"), apiKey: config.require("usKey"), connectedStatuses: ["linked"] });
new Tenant("acme", { integration: 101 });
new Tenant("bluebird", { integration: 101 }, { provider: us });
const group = new pulumi.ComponentResource("my:index:Group", "group", {}, { providers: [us] });
new Tenant("cedar", { integration: 101 }, { parent: group });
`;

test("a Provider has a platform and a key of its own, for its resources and the children of components", async () => {
  await using eu = await openPlatform();
  await using us = await openPlatform({ apiKey: "the-us-key" });
  const { url, apiKey } = us.emulator;
  const stackYaml = `config: ${JSON.stringify({
    "throw-away:usUrl": url,
    "throw-away:usKey": apiKey,
    "integration-platform:baseUrl": eu.emulator.url,
    "integration-platform:apiKey": eu.emulator.apiKey,
  })}\n`;
  await using project = await createProject({ program, stackYaml });

  await project.mustRun(["up", "--yes", "--skip-preview"]);

  expect((await eu.tenants()).map(({ name }) => name)).toEqual(["acme"]);
  expect((await us.tenants()).map(({ name }) => name).toSorted()).toEqual(["bluebird", "cedar"]);
  expect((await project.exportState()).text).not.toContain("the-us-key");
  const { steps } = await project.preview(["--refresh"]);
  expect(steps.map(({ op }) => op).filter((op) => op !== "same" && op !== "refresh")).toEqual([]);
});

const programWith = (options: string) => `
import * as pulumi from "@pulumi/pulumi";
import { Provider, Tenant } from "pulumi-integration-platform/native";
const config = new pulumi.Config();
const us = new Provider("us", { baseUrl: config.require("usUrl"), apiKey: config.require("usKey") });
new Tenant("acme", { integration: 101, metadata: { plan: "gold" } }, { ${options} });
`;

test("a resource is not given to a provider of another platform, where its id is another customer's tenant", async () => {
  await using eu = await openPlatform();
  await using us = await openPlatform({ apiKey: "the-us-key" });
  await us.call("POST", "/v2/tenants", { name: "theirs", integration_id: 101 });
  const stackYaml = `config: ${JSON.stringify({
    "throw-away:usUrl": us.emulator.url,
    "throw-away:usKey": us.emulator.apiKey,
    "integration-platform:baseUrl": eu.emulator.url,
    "integration-platform:apiKey": eu.emulator.apiKey,
  })}\n`;
  await using project = await createProject({ program: programWith(""), stackYaml });
  await project.mustRun(["up", "--yes", "--skip-preview"]);
  const before = [await eu.tenants(), await us.tenants()];
  expect(before.map((tenants) => tenants.map(({ id }) => id))).toEqual([[5001], [5001]]);
  for (const platform of [eu, us]) platform.clearRequests();

  await project.put("program.ts", programWith("provider: us").replace("gold", "silver"));
  for (const command of [["preview"], ["up", "--yes", "--skip-preview"]]) {
    const { code, stdout, stderr } = await project.run(command);
    expect(stdout + stderr).toContain(`another platform (${eu.emulator.url}) than ${us.emulator.url}`);
    expect(code).not.toBe(0);
  }

  expect([await eu.tenants(), await us.tenants()]).toEqual(before);
  expect([eu.writes(), us.writes()]).toEqual([[], []]);
});
