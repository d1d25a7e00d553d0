import * as aws from "@pulumi/aws";
import * as pulumi from "@pulumi/pulumi";
import { buildSync } from "esbuild";
import { WebhookReceiver } from "pulumi-integration-platform/receiver";

const config = new pulumi.Config();
const alarms = new aws.sns.Topic("alarms"); // subscribe your pager or your mail address to it
const receiver = new WebhookReceiver("events", {
  tokens: config.requireSecretObject<string[]>("tokens"),
  alarmTopicArn: alarms.arn,
  silenceHours: 24,
  deletionProtection: config.getBoolean("deletionProtection"),
});

const role = new aws.iam.Role("on-event", {
  assumeRolePolicy: JSON.stringify(aws.iam.assumeRolePolicyForPrincipal({ Service: "lambda.amazonaws.com" })),
});
new aws.iam.RolePolicy("on-event", {
  role: role.name,
  policy: JSON.stringify({
    Version: "2012-10-17",
    Statement: {
      Effect: "Allow",
      Action: ["logs:Create*", "logs:Put*"],
      Resource: "arn:aws:logs:*:*:log-group:/aws/lambda/on-event-*",
    },
  }),
});

// Bundles handler.ts and its imports into one file.
const here = import.meta.dirname;
const file = `${here}/dist/handler.mjs`;
buildSync({
  entryPoints: [`${here}/handler.ts`],
  outfile: file,
  bundle: true,
  platform: "node",
  format: "esm",
  mainFields: ["module", "main"],
  minify: true,
});
const onEvent = new aws.lambda.Function("on-event", {
  runtime: "nodejs24.x",
  handler: "index.handler",
  role: role.arn,
  code: new pulumi.asset.AssetArchive({ "index.mjs": new pulumi.asset.FileAsset(file) }),
  environment: { variables: { LEDGER_TABLE: receiver.ledgerName } },
});
const subscription = receiver.onEvent(["new_tenant_created", "run_failed"], onEvent);

// The runbook and the command `integration-platform events` read these outputs by their names.
export const { url, instructions, ledgerName, busName, logGroupNames, dashboardUrl } = receiver;
export const { deadLetterQueueUrl, deadLetterQueueArn } = receiver;
export const undeliveredUrl = subscription.deadLetterQueueUrl;
