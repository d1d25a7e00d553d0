import {
  CreateArchiveCommand,
  CreateEventBusCommand,
  DeleteArchiveCommand,
  DeleteEventBusCommand,
  DeleteRuleCommand,
  DescribeArchiveCommand,
  DescribeEventBusCommand,
  DescribeRuleCommand,
  EventBridgeClient,
  ListTargetsByRuleCommand,
  PutRuleCommand,
  PutTargetsCommand,
  RemoveTargetsCommand,
  UpdateArchiveCommand,
} from "@aws-sdk/client-eventbridge";
import { z } from "zod";
import { notFound, resourceType } from "../resource-type.ts";

const events = new EventBridgeClient();

export const eventBus = resourceType({
  inputs: z.object({ name: z.string(), description: z.string().optional() }),
  autonamed: "name",
  replacedBy: ["name", "description"],
  create: async ({ name, description }) => {
    const { EventBusArn: arn } = await events.send(new CreateEventBusCommand({ Name: name, Description: description }));
    return { id: name, outputs: { arn } };
  },
  read: (id) => events.send(new DescribeEventBusCommand({ Name: id })),
  delete: (id) => events.send(new DeleteEventBusCommand({ Name: id })),
});

export const eventArchive = resourceType({
  inputs: z.object({
    name: z.string(),
    eventSourceArn: z.string(),
    retentionDays: z.int(),
    description: z.string().optional(),
  }),
  autonamed: "name",
  replacedBy: ["name", "eventSourceArn"],
  create: async ({ name, eventSourceArn, retentionDays, description }) => {
    const { ArchiveArn: arn } = await events.send(
      new CreateArchiveCommand({
        ArchiveName: name,
        EventSourceArn: eventSourceArn,
        RetentionDays: retentionDays,
        Description: description,
      }),
    );
    return { id: name, outputs: { arn } };
  },
  read: (id) => events.send(new DescribeArchiveCommand({ ArchiveName: id })),
  update: (id, { retentionDays, description }) =>
    events.send(new UpdateArchiveCommand({ ArchiveName: id, RetentionDays: retentionDays, Description: description })),
  delete: (id) => events.send(new DeleteArchiveCommand({ ArchiveName: id })),
});

const ruleInputs = z.object({
  name: z.string(),
  eventBusName: z.string().optional(),
  scheduleExpression: z.string().optional(),
  eventPattern: z.string().optional(),
});

export const eventRule = resourceType({
  inputs: ruleInputs,
  autonamed: "name",
  replacedBy: ["name", "eventBusName"],
  create: async (args) => ({ id: args.name, outputs: await putRule(args) }),
  read: (id, { eventBusName }) => events.send(new DescribeRuleCommand({ Name: id, EventBusName: eventBusName })),
  update: (_, args) => putRule(args),
  delete: (id, { eventBusName }) => events.send(new DeleteRuleCommand({ Name: id, EventBusName: eventBusName })),
});

async function putRule({ name, eventBusName, scheduleExpression, eventPattern }: z.infer<typeof ruleInputs>) {
  const { RuleArn: arn } = await events.send(
    new PutRuleCommand({
      Name: name,
      EventBusName: eventBusName,
      ScheduleExpression: scheduleExpression,
      EventPattern: eventPattern,
    }),
  );
  return { arn };
}

const targetInputs = z.object({
  rule: z.string(),
  eventBusName: z.string().optional(),
  arn: z.string(),
  deadLetterConfig: z.object({ arn: z.string() }).optional(),
});
const targetId = "target"; // each rule has one target

export const eventTarget = resourceType({
  inputs: targetInputs,
  replacedBy: ["rule", "eventBusName"],
  create: async (args) => {
    await putTarget(args);
    return { id: `${args.rule}/${targetId}` };
  },
  read: async (id, { rule, eventBusName }) => {
    const { Targets: found = [] } = await events.send(
      new ListTargetsByRuleCommand({ Rule: rule, EventBusName: eventBusName }),
    );
    if (found.length === 0) throw notFound(`target ${id}`);
  },
  update: (_, args) => putTarget(args),
  delete: (_, { rule, eventBusName }) =>
    events.send(new RemoveTargetsCommand({ Rule: rule, EventBusName: eventBusName, Ids: [targetId] })),
});

async function putTarget({ rule, eventBusName, arn, deadLetterConfig }: z.infer<typeof targetInputs>): Promise<void> {
  const targets = [
    { Id: targetId, Arn: arn, ...(deadLetterConfig && { DeadLetterConfig: { Arn: deadLetterConfig.arn } }) },
  ];
  await events.send(new PutTargetsCommand({ Rule: rule, EventBusName: eventBusName, Targets: targets }));
}
