import { chmod, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { runCliProcess } from "../run-cli.ts";

// A script stands in for `pulumi`. test/aws/events.test.ts reads a receiver by the outputs of a real stack.

const names = {
  ledgerName: "the-ledger",
  busName: "the-bus",
  deadLetterQueueArn: "arn:aws:sqs:eu-west-3:123456789012:dead-letters",
};

async function listWith(script: string, ...args: readonly string[]) {
  const folder = await mkdtemp(join(tmpdir(), "stack-receiver-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  await writeFile(join(folder, "pulumi"), `#!/bin/sh\n${script}\n`);
  await chmod(join(folder, "pulumi"), 0o755);
  const env = {
    PATH: [folder, process.env.PATH].join(delimiter),
    AWS_ENDPOINT_URL: "http://127.0.0.1:9", // nothing listens there
    AWS_ACCESS_KEY_ID: "test",
    AWS_SECRET_ACCESS_KEY: "test",
    AWS_MAX_ATTEMPTS: "1",
    AWS_REGION: "",
  };
  return runCliProcess(undefined, ["events", "list", "--stack", "dev", ...args], env);
}

test.each([
  ["of a stack in YAML", { webhookReceiver: { ...names, url: "[secret]" }, tenants: {} }],
  ["of a program that exports them one by one", { ...names, other: 1 }],
])("takes the receiver's names and its region from the outputs %s", async (_, outputs) => {
  const { code, stderr } = await listWith(`echo '${JSON.stringify(outputs)}'`);
  expect(code).toBe(1);
  expect(stderr).toContain("ECONNREFUSED 127.0.0.1:9"); // the SDK needs a region to come that far
});

test.each<[string, NodeJS.ProcessEnv, string]>([
  ["a region", {}, "Region is missing; set AWS_REGION"],
  [
    "credentials",
    { AWS_REGION: "eu-west-3", AWS_ACCESS_KEY_ID: undefined, AWS_SECRET_ACCESS_KEY: undefined },
    "check your AWS credentials, for example with `aws sts get-caller-identity`",
  ],
])("says what to do without %s", async (_, env, message) => {
  const none = { AWS_REGION: undefined, AWS_PROFILE: undefined, AWS_EC2_METADATA_DISABLED: "true" };
  const files = { AWS_CONFIG_FILE: "/nowhere", AWS_SHARED_CREDENTIALS_FILE: "/nowhere" };
  const { code, stderr } = await runCliProcess(undefined, ["events", "list", "--ledger", "table"], {
    ...none,
    ...files,
    ...env,
  });
  expect(code).toBe(1);
  expect(stderr).toContain(message);
});

test("says what is missing in a stack without a receiver, and shows none of its outputs", async () => {
  const { code, stdout, stderr } = await listWith(`echo '{"ledgerName":"x","password":"secret-5f"}'`);
  expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
  expect(stderr).toMatch(
    /^error: stack "dev" has no webhook receiver: .* ledgerName, busName, deadLetterQueueArn\. Export them/,
  );
  expect(stderr).not.toContain("secret-5f");
});

test("shows why the Pulumi CLI cannot read the stack", async () => {
  const { code, stderr } = await listWith("echo secret-5f; echo 'no stack named dev' >&2; exit 6");
  expect({ code, stderr }).toEqual({
    code: 1,
    stderr: 'error: cannot read the outputs of stack "dev":\n  no stack named dev\n',
  });
});
