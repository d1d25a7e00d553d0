import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { EventBridgeClient, ListRulesCommand, ListTargetsByRuleCommand } from "@aws-sdk/client-eventbridge";
import { expect, test } from "vitest";
import { createProject } from "../engine/harness/create-project.ts";
import { encrypt } from "../engine/harness/encrypt.ts";
import { sha256 } from "../receiver/sha256.ts";
import { type Moto, startMoto } from "./moto/start-moto.ts";
import { startProvider } from "./start-provider.ts";

const token = sha256("a token");
const pages = "arn:aws:sqs:eu-central-1:123456789012:pages";
const refuseAws = pathToFileURL(join(import.meta.dirname, "refuse-aws.mjs")).href;

test("is deployed by the program of this repository, which does not print its token", async () => {
  await using moto = await startMoto();
  await using provider = await startProvider(moto);
  await using project = await createProject({
    stackYaml: "config: {}\n",
    env: { ...moto.env, ...provider.env },
  });
  const [encrypted] = await encrypt(project, token);
  await project.writeStackYaml(`config:
  integration-platform:baseUrl: https://platform.example.com
  integration-platform:apiKey: the-key
  integration-platform:webhookReceiver:
    tokens: [${encrypted}]
    deletionProtection: false
    archiveDays: 0
    onEvent:
      failed-runs: { eventTypes: [run_failed], targetArn: "${pages}" }
`);

  await project.mustRun(["up", "--yes", "--skip-preview"]);
  await project.mustRun(["up", "--yes", "--skip-preview", "--expect-no-changes"]);
  const { stdout } = await project.mustRun(["stack", "output", "webhookReceiver", "--json"]);
  const name = expect.stringMatching(/^webhook-receiver-/);
  expect(JSON.parse(stdout)).toEqual({
    url: "[secret]",
    instructions: "[secret]",
    queueUrl: expect.stringContaining(moto.url),
    deadLetterQueueUrl: expect.stringContaining("webhook-receiver-dead-letters-"),
    deadLetterQueueArn: expect.stringMatching(/^arn:aws:sqs:.*:webhook-receiver-dead-letters-/),
    ledgerName: name,
    busName: name,
    logGroupNames: {
      acknowledge: expect.stringMatching(/^\/aws\/lambda\/webhook-receiver-acknowledge-/),
      consume: expect.stringMatching(/^\/aws\/lambda\/webhook-receiver-consume-/),
      reconcile: expect.stringMatching(/^\/aws\/lambda\/webhook-receiver-reconcile-/),
    },
    dashboardUrl: expect.any(String),
  });
  expect(await subscriptionsTo(moto, JSON.parse(stdout).busName)).toEqual([
    { pattern: { source: ["integration-platform"], "detail-type": ["run_failed"] }, target: pages },
  ]);
  expect(project.printed()).not.toContain(token);
  expect((await project.exportState()).text).not.toContain(token);
  await project.mustRun(["destroy", "--yes", "--skip-preview"]);
});

test("is the only reason to load @pulumi/aws", async () => {
  await using project = await createProject({ stackYaml: "config: {}\n" });
  const env = { NODE_OPTIONS: `--import ${refuseAws}` };
  await project.mustRun(["preview"], { env });

  const [encrypted] = await encrypt(project, token);
  await project.writeStackYaml(`config:
  integration-platform:webhookReceiver: { tokens: [${encrypted}], reconciliation: false }
`);
  const { code, stdout, stderr } = await project.run(["preview"], { env });
  expect(code).not.toBe(0);
  expect(stdout + stderr).toContain("@pulumi/aws must not be loaded");
});

/** The rules of a bus, each with its target. */
async function subscriptionsTo(moto: Moto, EventBusName: string) {
  const events = new EventBridgeClient(moto.client);
  const { Rules: rules = [] } = await events.send(new ListRulesCommand({ EventBusName }));
  const found = rules.map(async ({ Name: Rule, EventPattern: pattern = "" }) => {
    const { Targets: [target] = [] } = await events.send(new ListTargetsByRuleCommand({ EventBusName, Rule }));
    return { pattern: JSON.parse(pattern), target: target?.Arn };
  });
  return Promise.all(found);
}
