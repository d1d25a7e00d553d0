import { z } from "zod";
import { createProject, type Project } from "../engine/harness/create-project.ts";
import { type Moto, startMoto } from "./moto/start-moto.ts";
import { startProvider } from "./start-provider.ts";

/** A receiver that is up, in moto. */
export interface ReceiverStack extends AsyncDisposable {
  readonly moto: Moto;
  readonly project: Project;
  readonly outputs: z.infer<typeof outputsSchema>;
  /** A resource's outputs, by its type and name: `("Role", "events-consume")`. */
  stateOf(type: string, name: string): Record<string, unknown>;
}

export const token = "0f".repeat(32);
export const formerToken = "1e".repeat(32);

/** Brings a receiver up that compares the tenants of the platform at `platformUrl`, without any grace. */
export async function bringUpReceiver(
  platformUrl = "https://platform.example.com",
  apiKey = "the-key-for-the-lists",
): Promise<ReceiverStack> {
  await using begun = new AsyncDisposableStack();
  const moto = begun.use(await startMoto());
  const provider = begun.use(await startProvider(moto));
  const env = { ...moto.env, ...provider.env };
  const project = begun.use(
    await createProject({ program: program(platformUrl, apiKey), stackYaml: "config: {}\n", env }),
  );
  await project.mustRun(["up", "--yes", "--skip-preview"]);
  const { stdout } = await project.mustRun(["stack", "output", "--json", "--show-secrets"]);
  const { resources } = await project.exportState();
  const ended = begun.move();
  return {
    moto,
    project,
    outputs: outputsSchema.parse(JSON.parse(stdout)),
    stateOf: (type, name) => {
      const found = resources.find(({ urn }) => urn.endsWith(`:${type}::${name}`));
      if (found === undefined) throw new Error(`the stack has no ${type} named ${name}`);
      return found.outputs;
    },
    [Symbol.asyncDispose]: () => ended.disposeAsync(),
  };
}

const program = (baseUrl: string, apiKey: string) => `
import * as pulumi from "@pulumi/pulumi";
import { WebhookReceiver } from "pulumi-integration-platform/receiver";
const receiver = new WebhookReceiver("events", {
  tokens: ["${token}", "${formerToken}"],
  deletionProtection: false,
  reconciliation: { baseUrl: "${baseUrl}", apiKey: "${apiKey}", graceSeconds: 0 },
});
export const { url, instructions, queueUrl, deadLetterQueueUrl, ledgerName, busName } = receiver;
`;

/** What the program of a receiver tells of it. */
export const outputsSchema = z.object({
  url: z.string(),
  queueUrl: z.string(),
  deadLetterQueueUrl: z.string(),
  ledgerName: z.string(),
  busName: z.string(),
});
