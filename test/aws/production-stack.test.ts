import { randomBytes } from "node:crypto";
import { CloudWatchClient, DescribeAlarmsCommand } from "@aws-sdk/client-cloudwatch";
import { EventBridgeClient, ListRulesCommand } from "@aws-sdk/client-eventbridge";
import { expect, test } from "vitest";
import { readOurFile } from "../editor-schema/our-files.ts";
import { createProject } from "../engine/harness/create-project.ts";
import { openPlatform } from "../engine/harness/live-platform.ts";
import { pythonSetUpSeconds } from "../python/prepare-python.ts";
import { startMoto } from "./moto/start-moto.ts";
import { startProvider } from "./start-provider.ts";

test("Pulumi.production.yaml comes up with a token of the team's own", {
  timeout: pythonSetUpSeconds * 1000,
}, async () => {
  await using platform = await openPlatform();
  await using moto = await startMoto();
  await using provider = await startProvider(moto);
  await using project = await createProject({
    hasOwnSources: true,
    stack: "production",
    stackYaml: "config: {}\n",
    env: { ...platform.env, ...moto.env, ...provider.env },
  });
  await project.writeStackYaml(await readOurFile("Pulumi.production.yaml"));
  const { code } = await project.run(["up", "--yes", "--skip-preview"]);
  expect(code).not.toBe(0); // nobody can decrypt the example

  const token = randomBytes(32).toString("hex");
  await project.mustRun([
    "config",
    "set",
    "--secret",
    "--path",
    "integration-platform:webhookReceiver.tokens[0]",
    token,
  ]);

  await project.mustRun(["up", "--yes", "--skip-preview"]);
  await project.mustRun(["up", "--yes", "--skip-preview", "--expect-no-changes"]);
  const { MetricAlarms: alarms = [] } = await new CloudWatchClient(moto.client).send(new DescribeAlarmsCommand());
  expect(alarms.length).toBeGreaterThan(0);
  for (const { AlarmName: name, AlarmActions: actions } of alarms) {
    expect(actions, name).toEqual(["arn:aws:sns:eu-central-1:123456789012:on-call"]);
  }
  const { stdout } = await project.mustRun(["stack", "output", "webhookReceiver", "--json"]);
  const rules = new ListRulesCommand({ EventBusName: String(JSON.parse(stdout).busName) });
  const { Rules: found = [] } = await new EventBridgeClient(moto.client).send(rules);
  const types = found.map(({ EventPattern: pattern = "{}" }) => JSON.parse(pattern)["detail-type"]);
  expect(types).toEqual(
    expect.arrayContaining([["run_failed"], ["new_tenant_created", "tenant_archived"], ["unknown", "malformed"]]),
  );
  expect(project.printed()).not.toContain(token);
});
