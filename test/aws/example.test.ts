import { readFileSync } from "node:fs";
import { join } from "node:path";
import { EventBridgeClient, ListRulesCommand, ListTargetsByRuleCommand } from "@aws-sdk/client-eventbridge";
import { AssumeRoleCommand, STSClient } from "@aws-sdk/client-sts";
import { beforeAll, expect, test } from "vitest";
import * as z from "zod";
import { endAfterTests } from "../end-after-tests.ts";
import { createProject, type Project } from "../engine/harness/create-project.ts";
import { encrypt } from "../engine/harness/encrypt.ts";
import { pythonSetUpSeconds } from "../python/prepare-python.ts";
import { payload } from "../receiver/fixtures.ts";
import { sha256 } from "../receiver/sha256.ts";
import { type Moto, startMoto } from "./moto/start-moto.ts";
import { runtimeSetUpSeconds } from "./runtime/prepare-runtime.ts";
import { startFunction } from "./runtime/start-function.ts";
import { type AwsProvider, startProvider } from "./start-provider.ts";

// Runs examples/webhook-receiver as a reader would.

let moto: Moto;
let provider: AwsProvider;
let project: Project;

beforeAll(
  () =>
    endAfterTests(async (open) => {
      moto = open.use(await startMoto());
      provider = open.use(await startProvider(moto));
      const env = { ...moto.env, ...provider.env };
      project = open.use(
        await createProject({ example: "webhook-receiver", hasOwnSources: true, stackYaml: "config: {}\n", env }),
      );
      const [token] = await encrypt(project, sha256("a token"));
      await project.writeStackYaml(`config:
  webhook-receiver:tokens: [${token}]
  webhook-receiver:deletionProtection: false
`);
    }),
  (pythonSetUpSeconds + runtimeSetUpSeconds) * 1000,
);

test("attaches its function to the receiver's bus, and has no changes at the next up", async () => {
  await project.mustRun(["up", "--yes", "--skip-preview"]);
  await project.mustRun(["up", "--yes", "--skip-preview", "--expect-no-changes"]);

  const events = new EventBridgeClient(moto.client);
  const EventBusName = (await project.mustRun(["stack", "output", "busName"])).stdout.trim();
  const { Rules: [rule] = [] } = await events.send(
    new ListRulesCommand({ EventBusName, NamePrefix: "events-on-event-" }),
  );
  const { Targets: targets } = await events.send(new ListTargetsByRuleCommand({ EventBusName, Rule: rule?.Name }));
  expect(targets).toEqual([expect.objectContaining({ Arn: expect.stringContaining(":function:on-event-") })]);
});

test("has the outputs that the runbook and the command `events` read", async () => {
  const { stdout } = await project.mustRun(["stack", "output", "--json", "--show-secrets"]);
  const outputs = z.record(z.string(), z.unknown()).parse(JSON.parse(stdout));
  const runbook = readFileSync(join(import.meta.dirname, "../../docs/guides/receiver-runbook.md"), "utf8");
  const read = [...runbook.matchAll(/\boutput \.(\w+)/g)].map(([, name = ""]) => name);
  expect(Object.keys(outputs)).toEqual(
    expect.arrayContaining([...read, "ledgerName", "busName", "deadLetterQueueArn"]),
  );
  expect(read).toContain("url");
  expect(outputs.logGroupNames).toMatchObject({ acknowledge: expect.any(String), consume: expect.any(String) });
  expect(outputs.deadLetterQueueUrl).toContain("events-dead-letters-");
});

test("greets a new tenant once, with the permissions of its role, when AWS's runtime runs it", async () => {
  const { resources } = await project.exportState();
  const outputOf = (urnEnd: string, output: string) =>
    String(resources.find(({ urn }) => urn.endsWith(urnEnd))?.outputs[output]);
  const { Credentials: credentials } = await new STSClient(moto.client).send(
    new AssumeRoleCommand({ RoleArn: outputOf(":Role::on-event", "arn"), RoleSessionName: "test" }),
  );
  const env = {
    ...moto.env,
    AWS_ACCESS_KEY_ID: credentials?.AccessKeyId ?? "",
    AWS_SECRET_ACCESS_KEY: credentials?.SecretAccessKey ?? "",
    AWS_SESSION_TOKEN: credentials?.SessionToken ?? "",
    AWS_LAMBDA_FUNCTION_NAME: outputOf(":Function::on-event", "name"),
    LEDGER_TABLE: outputOf(":Table::events-ledger", "name"),
  };
  await using handler = await startFunction(join(project.directory, "dist/handler.mjs"), { env, timeoutSeconds: 3 });
  const event = payload("new_tenant_created", { tenant_name: "acme" });
  const facts = { receivedAt: "2026-11-21T12:00:00Z", reconciled: false, isWhole: true, problems: [], event };
  const invoke = (ids: { readonly ingestId: string; readonly replayId?: string }) =>
    handler.invoke({ source: "integration-platform", "detail-type": event.event_type, detail: { ...facts, ...ids } });

  await moto.enforcePolicies(true);
  try {
    for (const replayId of [undefined, undefined, "a-replay", "a-replay"]) {
      await invoke({ ingestId: "an-id", ...(replayId !== undefined && { replayId }) });
    }
  } finally {
    await moto.enforcePolicies(false);
  }
  expect(handler.logged().match(/welcome, acme \(event an-id\)/g)).toHaveLength(2);
});

test("is destroyed completely", async () => {
  await project.mustRun(["destroy", "--yes", "--skip-preview"]);
  expect((await project.exportState()).resources).toEqual([]);
});
