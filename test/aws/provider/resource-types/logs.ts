import { randomBytes } from "node:crypto";
import {
  CloudWatchLogsClient,
  CreateLogGroupCommand,
  DeleteLogGroupCommand,
  DeleteQueryDefinitionCommand,
  DescribeLogGroupsCommand,
  DescribeQueryDefinitionsCommand,
  PutQueryDefinitionCommand,
  PutRetentionPolicyCommand,
} from "@aws-sdk/client-cloudwatch-logs";
import { z } from "zod";
import { notFound, resourceType } from "../resource-type.ts";

const logs = new CloudWatchLogsClient();

export const logGroup = resourceType({
  inputs: z.object({ namePrefix: z.string(), retentionInDays: z.int() }),
  replacedBy: ["namePrefix"],
  create: async ({ namePrefix, retentionInDays }) => {
    const name = `${namePrefix}${randomBytes(13).toString("hex")}`; // the real provider adds 26 characters too
    await logs.send(new CreateLogGroupCommand({ logGroupName: name }));
    await retain(name, retentionInDays);
    return { id: name, outputs: { name, arn: (await find(name)).arn } };
  },
  read: find,
  update: (id, { retentionInDays }) => retain(id, retentionInDays),
  delete: (id) => logs.send(new DeleteLogGroupCommand({ logGroupName: id })),
});

async function find(name: string) {
  const { logGroups = [] } = await logs.send(new DescribeLogGroupsCommand({ logGroupNamePrefix: name }));
  const found = logGroups.find(({ logGroupName }) => logGroupName === name);
  if (found === undefined) throw notFound(`log group ${name}`);
  return found;
}

async function retain(logGroupName: string, retentionInDays: number): Promise<void> {
  await logs.send(new PutRetentionPolicyCommand({ logGroupName, retentionInDays }));
}

const queryInputs = z.object({ name: z.string(), queryString: z.string(), logGroupNames: z.array(z.string()) });

export const queryDefinition = resourceType({
  inputs: queryInputs,
  create: async (args) => {
    const { queryDefinitionId: id = "" } = await logs.send(new PutQueryDefinitionCommand(args));
    return { id, outputs: { queryDefinitionId: id } };
  },
  read: async (id) => {
    const { queryDefinitions = [] } = await logs.send(new DescribeQueryDefinitionsCommand());
    if (!queryDefinitions.some(({ queryDefinitionId }) => queryDefinitionId === id)) throw notFound(`query ${id}`);
  },
  update: (id, args) => logs.send(new PutQueryDefinitionCommand({ ...args, queryDefinitionId: id })),
  delete: (id) => logs.send(new DeleteQueryDefinitionCommand({ queryDefinitionId: id })),
});
