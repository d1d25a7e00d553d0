import {
  CreateQueueCommand,
  DeleteQueueCommand,
  GetQueueAttributesCommand,
  SetQueueAttributesCommand,
  SQSClient,
} from "@aws-sdk/client-sqs";
import { z } from "zod";
import { kind } from "../kind.ts";

const sqs = new SQSClient();

const inputs = z.object({
  name: z.string(),
  sqsManagedSseEnabled: z.boolean(),
  messageRetentionSeconds: z.int(),
  maxMessageSize: z.int(),
  visibilityTimeoutSeconds: z.int().default(30),
  redrivePolicy: z.string().optional(),
});

export const queue = kind({
  inputs,
  autonamed: "name",
  replacedBy: ["name"],
  create: async (given) => {
    const { QueueUrl: url = "" } = await sqs.send(
      new CreateQueueCommand({ QueueName: given.name, Attributes: attributes(given) }),
    );
    const { Attributes: made } = await look(url);
    return { id: url, outputs: { url, arn: made?.QueueArn } };
  },
  look,
  update: async (id, given) => {
    await sqs.send(new SetQueueAttributesCommand({ QueueUrl: id, Attributes: attributes(given) }));
  },
  delete: (id) => sqs.send(new DeleteQueueCommand({ QueueUrl: id })),
});

function look(url: string) {
  return sqs.send(new GetQueueAttributesCommand({ QueueUrl: url, AttributeNames: ["QueueArn"] }));
}

function attributes(given: z.infer<typeof inputs>): Record<string, string> {
  return {
    SqsManagedSseEnabled: String(given.sqsManagedSseEnabled),
    MessageRetentionPeriod: String(given.messageRetentionSeconds),
    MaximumMessageSize: String(given.maxMessageSize),
    VisibilityTimeout: String(given.visibilityTimeoutSeconds),
    ...(given.redrivePolicy !== undefined && { RedrivePolicy: given.redrivePolicy }),
  };
}
