import { z } from "zod";
import { createProject, type Project } from "../engine/harness/create-project.ts";
import { sha256 } from "../receiver/sha256.ts";
import { type Moto, startMoto } from "./moto/start-moto.ts";
import { startProvider } from "./start-provider.ts";

/** A receiver that is deployed to moto. */
export interface ReceiverStack extends AsyncDisposable {
  readonly moto: Moto;
  readonly project: Project;
  readonly outputs: z.infer<typeof outputsSchema>;
  /** Returns the outputs of a resource, such as `outputsOf("Role", "events-consume")`. */
  outputsOf(type: string, name: string): Record<string, unknown>;
}

export const token = sha256("the newest token");
export const formerToken = sha256("the older token");

/**
 * Deploys a receiver that reconciles the tenants of the platform at `platformUrl`, without a grace period.
 *
 * @param more code for the program: further arguments and outputs of the receiver. An argument replaces one of the same name.
 */
export async function deployReceiver(
  platformUrl = "https://platform.example.com",
  apiKey = "the-key-for-the-lists",
  more: MoreCode = {},
): Promise<ReceiverStack> {
  await using stack = new AsyncDisposableStack();
  const moto = stack.use(await startMoto());
  const provider = stack.use(await startProvider(moto));
  const env = { ...moto.env, ...provider.env };
  const project = stack.use(
    await createProject({
      program: program(platformUrl, apiKey, more),
      hasOwnSources: true,
      stackYaml: "config: {}\n",
      env,
    }),
  );
  await project.mustRun(["up", "--yes", "--skip-preview"]);
  const { stdout } = await project.mustRun(["stack", "output", "--json", "--show-secrets"]);
  const { resources } = await project.exportState();
  const disposables = stack.move();
  return {
    moto,
    project,
    outputs: outputsSchema.parse(JSON.parse(stdout)),
    outputsOf: (type, name) => {
      const found = resources.find(({ urn }) => urn.endsWith(`:${type}::${name}`));
      if (found === undefined) throw new Error(`the stack has no ${type} named ${name}`);
      return found.outputs;
    },
    [Symbol.asyncDispose]: () => disposables.disposeAsync(),
  };
}

interface MoreCode {
  /** Such as `reservedConcurrency: 1,`. */
  readonly args?: string;
  /** Names, separated by commas. */
  readonly outputs?: string;
}

const program = (baseUrl: string, apiKey: string, { args = "", outputs = "" }: MoreCode) => `
import * as pulumi from "@pulumi/pulumi";
import { WebhookReceiver } from "pulumi-integration-platform/receiver";
const receiver = new WebhookReceiver("events", {
  tokens: ["${token}", "${formerToken}"],
  deletionProtection: false,
  platform: { baseUrl: "${baseUrl}", apiKey: "${apiKey}" },
  reconciliation: { graceSeconds: 0 },
  ${args}
});
export const { url, instructions, queueUrl, deadLetterQueueUrl, deadLetterQueueArn, ledgerName, busName, ${outputs} } = receiver;
`;

/** The outputs of a program with a receiver. */
export const outputsSchema = z.object({
  url: z.string(),
  queueUrl: z.string(),
  deadLetterQueueUrl: z.string(),
  deadLetterQueueArn: z.string(),
  ledgerName: z.string(),
  busName: z.string(),
});
