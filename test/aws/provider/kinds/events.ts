import {
  CreateEventBusCommand,
  DeleteEventBusCommand,
  DeleteRuleCommand,
  DescribeEventBusCommand,
  DescribeRuleCommand,
  EventBridgeClient,
  ListTargetsByRuleCommand,
  PutRuleCommand,
  PutTargetsCommand,
  RemoveTargetsCommand,
} from "@aws-sdk/client-eventbridge";
import { z } from "zod";
import { kind } from "../kind.ts";

const events = new EventBridgeClient();

export const eventBus = kind({
  inputs: z.object({ name: z.string(), description: z.string().optional() }),
  autonamed: "name",
  replacedBy: ["name", "description"],
  create: async ({ name, description }) => {
    const { EventBusArn: arn } = await events.send(new CreateEventBusCommand({ Name: name, Description: description }));
    return { id: name, outputs: { arn } };
  },
  look: (id) => events.send(new DescribeEventBusCommand({ Name: id })),
  delete: (id) => events.send(new DeleteEventBusCommand({ Name: id })),
});

const ruleInputs = z.object({
  name: z.string(),
  eventBusName: z.string().optional(),
  scheduleExpression: z.string().optional(),
  eventPattern: z.string().optional(),
});

export const eventRule = kind({
  inputs: ruleInputs,
  autonamed: "name",
  replacedBy: ["name", "eventBusName"],
  create: async (given) => ({ id: given.name, outputs: await putRule(given) }),
  look: (id, { eventBusName }) => events.send(new DescribeRuleCommand({ Name: id, EventBusName: eventBusName })),
  update: (_, given) => putRule(given),
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

const targetInputs = z.object({ rule: z.string(), eventBusName: z.string().optional(), arn: z.string() });
const targetId = "target"; // one to a rule

export const eventTarget = kind({
  inputs: targetInputs,
  replacedBy: ["rule", "eventBusName"],
  create: async (given) => {
    await putTarget(given);
    return { id: `${given.rule}/${targetId}` };
  },
  look: async (id, { rule, eventBusName }) => {
    const { Targets: found = [] } = await events.send(
      new ListTargetsByRuleCommand({ Rule: rule, EventBusName: eventBusName }),
    );
    if (found.length === 0) throw Object.assign(new Error(`no target ${id}`), { name: "ResourceNotFound" });
  },
  update: (_, given) => putTarget(given),
  delete: (_, { rule, eventBusName }) =>
    events.send(new RemoveTargetsCommand({ Rule: rule, EventBusName: eventBusName, Ids: [targetId] })),
});

async function putTarget({ rule, eventBusName, arn }: z.infer<typeof targetInputs>): Promise<void> {
  const targets = [{ Id: targetId, Arn: arn }];
  await events.send(new PutTargetsCommand({ Rule: rule, EventBusName: eventBusName, Targets: targets }));
}
