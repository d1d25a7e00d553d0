import {
  CreateQueueCommand,
  DeleteQueueCommand,
  GetQueueAttributesCommand,
  SetQueueAttributesCommand,
  SQSClient,
} from "@aws-sdk/client-sqs";
import { z } from "zod";
import { resourceType } from "../resource-type.ts";

const sqs = new SQSClient();

const inputs = z.object({
  name: z.string(),
  sqsManagedSseEnabled: z.boolean().default(true),
  messageRetentionSeconds: z.int().default(345_600),
  maxMessageSize: z.int().default(262_144),
  visibilityTimeoutSeconds: z.int().default(30),
  redrivePolicy: z.string().optional(),
});

export const queue = resourceType({
  inputs,
  autonamed: "name",
  replacedBy: ["name"],
  create: async (args) => {
    const { QueueUrl: url = "" } = await sqs.send(
      new CreateQueueCommand({ QueueName: args.name, Attributes: attributes(args) }),
    );
    const { Attributes: created } = await read(url);
    return { id: url, outputs: { url, arn: created?.QueueArn } };
  },
  read,
  update: async (id, args) => {
    await sqs.send(new SetQueueAttributesCommand({ QueueUrl: id, Attributes: attributes(args) }));
  },
  delete: (id) => sqs.send(new DeleteQueueCommand({ QueueUrl: id })),
});

function read(url: string) {
  return sqs.send(new GetQueueAttributesCommand({ QueueUrl: url, AttributeNames: ["QueueArn"] }));
}

function attributes(args: z.infer<typeof inputs>): Record<string, string> {
  return {
    SqsManagedSseEnabled: String(args.sqsManagedSseEnabled),
    MessageRetentionPeriod: String(args.messageRetentionSeconds),
    MaximumMessageSize: String(args.maxMessageSize),
    VisibilityTimeout: String(args.visibilityTimeoutSeconds),
    ...(args.redrivePolicy !== undefined && { RedrivePolicy: args.redrivePolicy }),
  };
}

const policyInputs = z.object({ queueUrl: z.string(), policy: z.string() });

export const queuePolicy = resourceType({
  inputs: policyInputs,
  replacedBy: ["queueUrl"],
  create: async (args) => {
    await putPolicy(args);
    return { id: args.queueUrl };
  },
  read,
  update: (_, args) => putPolicy(args),
  delete: (id) => putPolicy({ queueUrl: id, policy: "" }),
});

async function putPolicy({ queueUrl, policy }: z.infer<typeof policyInputs>): Promise<void> {
  await sqs.send(new SetQueueAttributesCommand({ QueueUrl: queueUrl, Attributes: { Policy: policy } }));
}
